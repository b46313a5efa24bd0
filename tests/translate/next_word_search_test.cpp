#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::UnorderedElementsAre;

TEST(NextWordSearch, OffersOnlyWordsThatDecodingAllows) {
  auto model = tiny_model(1, "a b c d e f g h i j deu_Latn fra_Latn");
  model.config.data.language_tags = LanguageTags::first;
  {
    const torch::NoGradGuard no_grad;
    for (const char* piece : {"deu_Latn", "fra_Latn", "a", "b", "c", "d"})
      model.network
          ->named_parameters()["output.bias"][*find_piece(*model.tokenizers.target, piece)] = 3;
  }
  auto decoding = model.config.decoding;
  decoding.source_language = "de";
  decoding.target_language = "fr";
  decoding.forbidden_phrases = {"a b", "c"};
  decoding.stop_token = "d";
  decoding.no_repeat_ngram_size = 1;
  const Translator translator(model, decoding);
  const auto found =
      translator.translate({"e f"}, {.constraints = {{"a", {}}}, .next_words = 20}).front();
  std::vector<std::string> words;
  for (const auto& candidate : found.candidates) words.push_back(candidate.tokens.at(1));
  EXPECT_THAT(words, UnorderedElementsAre("e", "f", "g", "h", "i", "j"));
}

/// Returns a model whose words have several tokens.
TranslationModel subword_model(uint64_t seed) {
  auto model = tiny_model();
  auto& config = model.config;
  config.tokenizer.kind = TokenizerKind::sentencepiece;
  config.tokenizer.vocab_size = 24;
  const std::vector<std::string> lines{"ab ba abc bca cab", "abcd dcba bad dab cad",
                                       "add bed bede"};
  model.tokenizers = build_tokenizers(config.tokenizer, lines, lines);
  torch::manual_seed(seed);
  model.network = Transformer(config.model, vocab_sizes(model.tokenizers));
  model.network->eval();
  return model;
}

/// The words after the prefix begin with "▁", as SentencePiece writes them.
TEST(NextWordSearch, SortsWordsByTheProbabilityOfAllTheirTokens) {
  int words_of_several_tokens = 0;
  int different_orders = 0;
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    auto model = subword_model(seed);
    const Translator translator(model, model.config.decoding);
    const auto prefix = model.tokenizers.target->encode("ab");
    const auto found =
        translator.translate({"abc bad"}, {.constraints = {{"ab", {}}}, .next_words = 4}).front();
    std::vector<float> firsts;
    std::vector<double> wholes;
    for (const auto& candidate : found.candidates) {
      const auto begin = candidate.tokens.begin() + std::ssize(prefix);
      const auto end = std::find_if(begin + 1, candidate.tokens.end(),
                                    [](const auto& token) { return token.starts_with("▁"); });
      const auto first = candidate.token_log_probs.begin() + std::ssize(prefix);
      firsts.push_back(*first);
      wholes.push_back(std::accumulate(first, first + (end - begin), 0.0));
      words_of_several_tokens += end - begin > 1 ? 1 : 0;
    }
    EXPECT_TRUE(std::ranges::is_sorted(wholes, std::greater<>())) << "seed " << seed;
    different_orders += std::ranges::is_sorted(firsts, std::greater<>()) ? 0 : 1;
  }
  EXPECT_GT(words_of_several_tokens, 0);
  EXPECT_GT(different_orders, 0);
}

TEST(NextWordSearch, ReportsItsProgressOnce) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.batch_type = BatchType::sentences;
  decoding.batch_size = 1;
  std::vector<double> shares;
  Translator(model, decoding)
      .translate({"a b", "c"},
                 {.next_words = 2, .on_batch = [&](double share) { shares.push_back(share); }});
  ASSERT_GT(shares.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_LT(shares[1], 0.5) << "after the first of two searches";
  EXPECT_EQ(shares.back(), 1);
}

}  // namespace
}  // namespace tfm

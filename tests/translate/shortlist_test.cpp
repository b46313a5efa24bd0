#include "tfm/translate/shortlist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/tensor/safetensors.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

/// Returns a corpus in which each word's translation is the next letter of the alphabet.
Corpus shifted_letters(const TokenizerPair& tokenizers) {
  const ParallelText text{.source = {"a b", "b c", "c d", "d e", "a c", "b d", "e a"},
                          .target = {"b c", "c d", "d e", "e f", "b d", "c e", "f b"},
                          .line = {1, 2, 3, 4, 5, 6, 7},
                          .skipped = {},
                          .files = {}};
  return encode_corpus(text, tokenizers, DataConfig{});
}

TokenIds ids(const TokenizerPair& tokenizers, const std::string& text) {
  return tokenizers.target->encode(text);
}

TEST(Shortlist, AllowsLearnedTranslationsIdenticalTokensFrequentTokensAndSpecialTokens) {
  const auto model = tiny_model();
  const auto& tokenizers = model.tokenizers;
  const auto shortlist =
      learn_shortlist(shifted_letters(tokenizers), tokenizers, {.per_token = 1, .frequent = 1});
  const auto offered =
      shortlist.allowed_tokens(std::vector<TokenIds>{tokenizers.source->encode("a d")});
  EXPECT_THAT(offered, IsSupersetOf(ids(tokenizers, "b e a d")))
      << "the translations of a and d, and a and d themselves";
  const auto& special = tokenizers.target->special();
  EXPECT_THAT(offered, IsSupersetOf({special.bos, special.eos}));
  EXPECT_THAT(offered, Not(IsSupersetOf(ids(tokenizers, "j"))));
  EXPECT_EQ(std::ranges::adjacent_find(offered, std::ranges::greater_equal{}), offered.end())
      << "ascending, without duplicates";
}

TEST(Shortlist, CoverageOfTheTrainingDataIsOneWhenTheShortlistIsLargeEnough) {
  const auto model = tiny_model();
  const auto corpus = shifted_letters(model.tokenizers);
  EXPECT_EQ(
      coverage(learn_shortlist(corpus, model.tokenizers, {.per_token = 1, .frequent = 0}), corpus),
      1);
  EXPECT_LT(
      coverage(
          Shortlist(
              std::vector<TokenIds>(static_cast<std::size_t>(model.tokenizers.source->size())), {}),
          corpus),
      0.1);
}

TEST(Shortlist, ReadRestoresAWrittenShortlist) {
  const TemporaryFolder folder;
  const auto model = tiny_model();
  const auto shortlist = learn_shortlist(shifted_letters(model.tokenizers), model.tokenizers,
                                         {.per_token = 2, .frequent = 2});
  shortlist.write(folder.path("shortlist.safetensors"), model.tokenizers);
  const auto again = Shortlist::read(folder.path("shortlist.safetensors"), model.tokenizers);
  for (const char* text : {"a", "b c d", "j", ""}) {
    const std::vector<TokenIds> sentences{model.tokenizers.source->encode(text)};
    EXPECT_EQ(again.allowed_tokens(sentences), shortlist.allowed_tokens(sentences)) << text;
  }
}

TEST(Shortlist, ReadThrowsWhenTheFileIsMissingOrMalformed) {
  const TemporaryFolder folder;
  const auto model = tiny_model();
  const auto file = folder.path("shortlist.safetensors");
  const auto read = [&] { Shortlist::read(file, model.tokenizers); };
  EXPECT_THAT(message_of<ModelError>(read), HasSubstr("shortlist.safetensors"));
  const auto size = static_cast<std::size_t>(model.tokenizers.source->size());
  Shortlist(std::vector<TokenIds>(size), {1}).write(file, model.tokenizers);
  const auto metadata = read_safetensors(file).metadata;
  const auto write = [&](std::vector<int64_t> offsets, std::vector<int32_t> tokens) {
    write_safetensors(file,
                      {{"offsets", torch::tensor(offsets, torch::kInt64)},
                       {"tokens", torch::tensor(tokens, torch::kInt32)},
                       {"always", torch::tensor({1}, torch::kInt32)}},
                      metadata);
  };
  write({0, 1}, {1});
  EXPECT_THAT(message_of<ModelError>(read), HasSubstr("has 1 source tokens, but"));
  write(std::vector<int64_t>(size + 1, 0), {1});
  EXPECT_THAT(message_of<ModelError>(read), HasSubstr("offsets that do not fit its tokens"));
  std::vector<int64_t> offsets(size + 1, 1);
  offsets[0] = 0;
  write(offsets, {9999});
  EXPECT_THAT(message_of<ModelError>(read),
              HasSubstr("contains tokens that the target vocabulary does not have"));
  write(offsets, {-1});
  EXPECT_THAT(message_of<ModelError>(read),
              HasSubstr("contains tokens that the target vocabulary does not have"));
  write_safetensors(file, {{"offsets", torch::zeros({3})}}, metadata);
  EXPECT_THAT(message_of<ModelError>(read),
              HasSubstr("is not a shortlist: tensor 'offsets' is missing"));
}

TEST(Shortlist, ReadThrowsWhenVocabulariesDifferInOneToken) {
  const TemporaryFolder folder;
  const auto model = tiny_model();
  const auto other = tiny_model(1, "a b c d e f g h i k");
  const auto file = folder.path("shortlist.safetensors");
  Shortlist(std::vector<TokenIds>(static_cast<std::size_t>(model.tokenizers.source->size())), {1})
      .write(file, model.tokenizers);
  EXPECT_NO_THROW(Shortlist::read(file, model.tokenizers));
  EXPECT_THAT(message_of<ModelError>([&] { Shortlist::read(file, other.tokenizers); }),
              HasSubstr("is not a shortlist for this model's vocabularies"));
}

/// A search with a shortlist of all target tokens must give the same result as without a shortlist.
TEST(Shortlist, DoesNotChangeTranslationsWhenItAllowsAllTokens) {
  const TemporaryFolder folder;
  auto model = tiny_model();
  TokenIds all(static_cast<std::size_t>(model.tokenizers.target->size()));
  std::iota(all.begin(), all.end(), 0);
  const auto source_size = static_cast<std::size_t>(model.tokenizers.source->size());
  Shortlist(std::vector<TokenIds>(source_size), all)
      .write(folder.path("all.safetensors"), model.tokenizers);
  const std::vector<std::string> lines{"a b c", "d", "", "e f g h i j a b c d"};
  DecodingConfig decoding = model.config.decoding;
  TranslationRequest request;
  request.alternatives = 2;
  for (const int64_t beam : {1, 4}) {
    for (const bool sampling : {false, true}) {
      decoding.beam_size = beam;
      decoding.n_best = beam;
      decoding.sampling = sampling;
      decoding.shortlist = "none";
      const auto plain = Translator(model, decoding).translate(lines, request);
      decoding.shortlist = folder.path("all.safetensors");
      const auto listed = Translator(model, decoding).translate(lines, request);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        ASSERT_EQ(listed[i].candidates.size(), plain[i].candidates.size());
        for (std::size_t j = 0; j < plain[i].candidates.size(); ++j) {
          EXPECT_EQ(listed[i].candidates[j].text, plain[i].candidates[j].text);
          EXPECT_NEAR(listed[i].candidates[j].score, plain[i].candidates[j].score, 1e-5);
          EXPECT_EQ(listed[i].candidates[j].explanation.size(),
                    plain[i].candidates[j].explanation.size());
        }
      }
    }
  }
}

/// The shortlist and its padding allow at most 512 of 2,000 words, including the forced word.
TEST(Shortlist, RestrictsTheTokensOfTranslations) {
  const TemporaryFolder folder;
  std::string words;
  for (int i = 0; i < 2000; ++i) words += (i > 0 ? " w" : "w") + std::to_string(i);
  auto model = tiny_model(1, words);
  model.folder = folder.path();
  const auto offered = ids(model.tokenizers, "w1998 w1999");
  Shortlist(std::vector<TokenIds>(static_cast<std::size_t>(model.tokenizers.source->size())),
            offered)
      .write(folder.path(shortlist_file), model.tokenizers);
  auto decoding = model.config.decoding;
  decoding.forced_phrases = {"w1997"};
  decoding.beam_size = 8;
  decoding.min_length = 6;
  const auto others = [&](const std::string& shortlist) {
    decoding.shortlist = shortlist;
    int count = 0;
    for (const auto& translation : Translator(model, decoding).translate({"w1 w2", "w3 w4 w5"})) {
      EXPECT_THAT(translation.text(), HasSubstr("w1997")) << "forced phrases are always allowed";
      for (const TokenId id : ids(model.tokenizers, translation.text()))
        count += id >= 512 && id < offered.front() - 1 ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(others("auto"), 0);
  EXPECT_GT(others("none"), 0) << "otherwise the test proves nothing";
}

/// Greedy search without a shortlist chooses a few of 2,000 words; the shortlist contains only
/// these. Ensembles average log-probabilities. Normalising these over the shortlist adds the same
/// amount to each token, so the most probable token stays the same.
TEST(Shortlist, DoesNotChangeGreedyTranslationsWhenItAllowsTheirTokens) {
  const TemporaryFolder folder;
  std::string words;
  for (int i = 0; i < 2000; ++i) words += (i > 0 ? " w" : "w") + std::to_string(i);
  auto model = tiny_model(1, words);
  auto second = tiny_model(2, words);
  const std::vector<std::string> lines{"w1 w2", "w3 w4 w5", "w1900"};
  auto decoding = model.config.decoding;
  decoding.beam_size = 1;
  decoding.min_length = 3;
  decoding.ensemble_mean = EnsembleMean::log_probabilities;
  for (const std::vector<TranslationModel*>& models :
       {std::vector{&model}, std::vector{&model, &second}}) {
    for (const double coverage_penalty : {0.0, 0.2}) {
      decoding.coverage_penalty = coverage_penalty;
      decoding.shortlist = "none";
      const auto plain = Translator(models, decoding).translate(lines);
      TokenIds wanted;
      for (const auto& translation : plain) {
        for (const TokenId id : ids(model.tokenizers, translation.text())) wanted.push_back(id);
      }
      EXPECT_GT(std::ranges::count_if(wanted, [](TokenId id) { return id > 600; }), 0)
          << "otherwise indices and ids would be equal";
      decoding.shortlist = folder.path("wanted");
      Shortlist(std::vector<TokenIds>(static_cast<std::size_t>(model.tokenizers.source->size())),
                wanted)
          .write(decoding.shortlist, model.tokenizers);
      const auto listed = Translator(models, decoding).translate(lines);
      for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_EQ(listed[i].text(), plain[i].text()) << i << " " << models.size();
    }
  }
}

TEST(Shortlist, ErrorForAMissingShortlistNamesTheCommandThatCreatesOne) {
  const TemporaryFolder folder;
  auto model = tiny_model();
  model.folder = folder.path();
  auto decoding = model.config.decoding;
  decoding.shortlist = "auto";
  EXPECT_THAT(message_of<ModelError>([&] { Translator(model, decoding); }),
              AllOf(HasSubstr("this shortlist does not exist"), HasSubstr("tfm shortlist -m")));
}

}  // namespace
}  // namespace tfm

#include "tfm/translate/alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captured_log.h"
#include "failing_allocator.h"
#include "tfm/core/error.h"
#include "tfm/nn/evaluation_mode.h"
#include "tiny_model.h"
#include "translate/attention_maps.h"
#include "translate/word_attention.h"

namespace tfm {
namespace {

using testing::ElementsAre;

/// A tokenizer with one token per letter; capital letters start words, so "Ab" is a word of two
/// tokens.
class LetterTokenizer : public Tokenizer {
 public:
  TokenIds encode(std::string_view text, std::vector<std::string>*) const override {
    TokenIds ids;
    for (const char c : text) ids.push_back(c);
    return ids;
  }
  std::string decode(std::span<const TokenId> ids) const override {
    return {ids.begin(), ids.end()};
  }
  std::int64_t size() const override { return 128; }
  const SpecialTokens& special() const override { return special_; }
  std::string piece(TokenId id) const override { return {static_cast<char>(id)}; }
  bool starts_word(TokenId id) const override { return id >= 'A' && id <= 'Z'; }
  std::uint32_t encoding_checksum() const override { return 0; }
  void save(const std::filesystem::path&, std::string_view) const override {}

 private:
  SpecialTokens special_{0, 1, 2, 3};
};

TranslationModel letter_model() {
  auto model = tiny_model();
  model.tokenizers.source = model.tokenizers.target = std::make_shared<LetterTokenizer>();
  torch::manual_seed(3);
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  model.network->eval();
  return model;
}

EncodedPair pair_of(const TranslationModel& model, const std::string& source,
                    const std::string& target) {
  auto pair = encode_pair(model, source, target);
  EXPECT_TRUE(pair.has_value());
  return *pair;
}

TEST(WordAttention, SumsTheAttentionOfTheTokensOfEachWordAndSkipsEos) {
  const auto model = letter_model();
  // The source words are Ab and C; the target words are X and Yz.
  const auto pair = pair_of(model, "AbC", "XYz");
  // The rows are X, Y, z and eos; the columns are A, b, C and eos.
  const auto weights = torch::tensor(
      {{0.1, 0.2, 0.3, 0.4}, {0.5, 0.1, 0.2, 0.2}, {0.0, 0.3, 0.6, 0.1}, {0.7, 0.1, 0.1, 0.1}},
      torch::kFloat32);
  const auto when_predicted = word_attention(model, pair, weights.unsqueeze(0), false)[0];
  EXPECT_TRUE(when_predicted.allclose(torch::tensor({{0.3, 0.3}, {0.9, 0.8}}, torch::kFloat32)))
      << when_predicted;
  const auto shifted = word_attention(model, pair, weights.unsqueeze(0), true)[0];
  EXPECT_TRUE(shifted.allclose(torch::tensor({{0.6, 0.2}, {1.1, 0.7}}, torch::kFloat32)))
      << shifted;
}

TEST(Align, LinksEachTargetWordToTheSourceWordWithTheMostAttention) {
  auto model = letter_model();
  const std::vector<EncodedPair> pairs{pair_of(model, "AbCDe", "XYz"), pair_of(model, "A", "Xyz"),
                                       pair_of(model, "ABCDEFG", "UVWXYZ")};
  const AlignmentHead head{1, 0, false};
  const auto alignments = align(model, pairs, head, model.config.decoding);
  ASSERT_EQ(alignments.size(), 3u);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto maps = compute_attention(model, {&pairs[i], 1});  // one pair, so without padding
    const auto best = word_attention(model, pairs[i],
                                     maps.decoder.cross_attention[1][0][0].unsqueeze(0), false)[0]
                          .argmax(-1);
    ASSERT_EQ(std::ssize(alignments[i]), best.size(0));
    for (const auto& link : alignments[i])
      EXPECT_EQ(link.source, best[link.target].item<int64_t>());
  }
  EXPECT_THAT(alignments[1], ElementsAre(WordLink{0, 0}));
}

TEST(Align, NumbersWordsAcrossTheSegmentsOfALongLine) {
  auto model = letter_model();
  Translation translation;
  auto& candidate = translation.candidates.emplace_back();
  // The second segment starts within source word 1.
  candidate.parts = {pair_of(model, "AbC", "X"), pair_of(model, "dE", "Yz")};
  candidate.parts[1].no_space_before_source = true;
  std::vector<Translation> translations{translation, translation};
  align(model, translations, {0, 1, false}, model.config.decoding);
  const auto& links = translations[1].candidates[0].alignment;
  ASSERT_EQ(links.size(), 2u);
  for (const auto& link : links) {
    // The source words are Ab, C with the d of the second segment, and E.
    const auto possible =
        link.target == 0 ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{1, 2};
    EXPECT_THAT(possible, testing::Contains(link.source));
  }
}

TEST(ResolveAlignmentHead, ReturnsTheConfiguredHeadOrTheModelsBestHead) {
  auto model = tiny_model();  // 2 layers, 2 heads
  const auto chosen = [&](const char* text) {
    auto decoding = model.config.decoding;
    decoding.alignment_head = text;
    return resolve_alignment_head(model, decoding);
  };
  EXPECT_FALSE(chosen("auto").layer.has_value());
  EXPECT_EQ(chosen("1:0").layer, 1);
  EXPECT_EQ(chosen("1:0").head, 0);
  EXPECT_FALSE(chosen("1").head.has_value());
  EXPECT_THROW(chosen("2"), ConfigError);
  EXPECT_THROW(chosen("0:2"), ConfigError);
  model.best_alignment_head = AlignmentHead{0, 1, true};
  EXPECT_EQ(chosen("auto").head, 1);
  EXPECT_TRUE(chosen("auto").shifted);
  EXPECT_FALSE(chosen("mean").layer.has_value());
  for (const char* text : {"mean", "1", "0:1"}) EXPECT_EQ(to_string(chosen(text)), text);
}

TEST(Align, HalvesABatchWhenMemoryRunsOut) {
  auto model = letter_model();
  const std::vector<EncodedPair> pairs(16, pair_of(model, "AbCDe", "XYz"));
  const AlignmentHead head{1, 0, false};
  const auto expected = align(model, pairs, head, model.config.decoding);
  const CapturedLog log;
  const FailingAllocator memory(4'000, 1);
  EXPECT_EQ(align(model, pairs, head, model.config.decoding), expected);
  EXPECT_NE(log.text().find("out of memory in a batch of"), std::string::npos);
}

}  // namespace
}  // namespace tfm

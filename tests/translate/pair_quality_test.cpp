#include "tfm/translate/pair_quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tfm/translate/alignment.h"
#include "tiny_model.h"
#include "translate/attention_maps.h"
#include "translate/word_attention.h"

namespace tfm {
namespace {

constexpr double tolerance = 1e-5;  // allows for fp32 sums in a different order

const std::vector<SentencePair> pairs{
    {"a b c", "d e"}, {"j", "j i h g f"}, {"a a a a", "b"}, {"c d", "e f g"}};

/// Returns the cross-entropy in nats per token, by `tfm score`'s scorer.
double entropy(TranslationModel& model, const std::string& source, const std::string& target) {
  const auto score = Scorer({&model}, model.config.decoding).score({{source, target}}).front();
  return -score.log_prob / static_cast<double>(score.tokens.size());
}

std::vector<PairQuality> measure(TranslationModel& model, TranslationModel* reverse,
                                 const std::vector<SentencePair>& given) {
  double last = 0;
  auto measures = PairQualityScorer(model, reverse, {}).measure(given, [&](double share) {
    EXPECT_GE(share, last);
    EXPECT_LE(share, 1);
    last = share;
  });
  EXPECT_EQ(last, 1);
  return measures;
}

TEST(DualScore, IsThatOfThePaper) {
  // By hand: exp(-(|1 - 3| + (1 + 3) / 2)) = exp(-4).
  EXPECT_NEAR(dual_score(1, 3), std::exp(-4), 1e-12);
  EXPECT_NEAR(dual_score(3, 1), std::exp(-4), 1e-12);
  EXPECT_EQ(dual_score(0, 0), 1);
  EXPECT_GT(dual_score(2, 2), dual_score(1, 3)) << "models that disagree";
  EXPECT_TRUE(std::isnan(dual_score(std::nan(""), 1)));
}

TEST(PairQualityScorer, ScoreIsTheMeanProbabilityOfATokenByOneModel) {
  auto model = tiny_model();
  const auto found = measure(model, nullptr, pairs);
  ASSERT_EQ(found.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_NEAR(found[i].score, std::exp(-entropy(model, pairs[i].source, pairs[i].target)),
                tolerance);
}

TEST(PairQualityScorer, ScoreOfTwoModelsIsDualCrossEntropy) {
  auto model = tiny_model(1);
  auto reverse = tiny_model(2);
  const auto found = measure(model, &reverse, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_NEAR(found[i].score,
                dual_score(entropy(model, pairs[i].source, pairs[i].target),
                           entropy(reverse, pairs[i].target, pairs[i].source)),
                tolerance);
}

TEST(PairQualityScorer, CountsWordsWithoutALinkAndTheAttentionOnLinks) {
  auto model = tiny_model(1);
  auto reverse = tiny_model(2);
  const auto head = resolve_alignment_head(model, model.config.decoding);
  /// Returns the attention of each word (a token, here) to the words of the other side.
  const auto attention_of = [&](TranslationModel& of, const SentencePair& pair) {
    const auto encoded = encode_pair(of, pair.source, pair.target).value();
    const auto maps = compute_attention(of, {&encoded, 1});
    std::vector<torch::Tensor> heads;
    for (const auto& layer : maps.decoder.cross_attention) heads.push_back(layer[0]);
    return word_attention(of, encoded, torch::cat(heads).mean(0, true), head.shifted)[0];
  };
  const auto expected = [&](TranslationModel& of, const SentencePair& pair) {
    const auto words = attention_of(of, pair);
    const auto linked = std::get<0>(at::_unique(words.argmax(-1))).numel();
    return std::pair{words.amax(-1).mean().item<double>(),
                     1 - static_cast<double>(linked) / static_cast<double>(words.size(1))};
  };
  const auto one = measure(model, nullptr, pairs);
  const auto both = measure(model, &reverse, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [attention, unaligned] = expected(model, pairs[i]);
    const auto [back, unaligned_back] = expected(reverse, {pairs[i].target, pairs[i].source});
    EXPECT_NEAR(one[i].attention, attention, tolerance);
    EXPECT_NEAR(one[i].unaligned, unaligned, tolerance);
    EXPECT_NEAR(both[i].attention, (attention + back) / 2, tolerance);
    EXPECT_NEAR(both[i].unaligned, std::max(unaligned, unaligned_back), tolerance);
  }
}

TEST(PairQualityScorer, CannotMeasurePairsThatAreTooLongOrHaveNoWords) {
  auto model = tiny_model();
  std::string text;
  for (int i = 0; i < 40; ++i) text += "a ";
  const auto found = measure(model, nullptr, {{text, "a"}, {"a", text}, {"a b", "b"}, {"", "a"}});
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_TRUE(std::isnan(found[i].score));
    EXPECT_TRUE(std::isnan(found[i].attention));
    EXPECT_TRUE(std::isnan(found[i].unaligned));
  }
  EXPECT_FALSE(std::isnan(found[2].attention));
  EXPECT_TRUE(std::isnan(found[3].attention)) << "an empty side has no alignment";
}

TEST(PairQualityScorer, MeasuresOnlyWhatIsAsked) {
  auto model = tiny_model();
  const auto none = [](double) {};
  const auto score =
      PairQualityScorer(model, nullptr, {.score = true, .alignment = false}).measure(pairs, none);
  const auto alignment =
      PairQualityScorer(model, nullptr, {.score = false, .alignment = true}).measure(pairs, none);
  EXPECT_TRUE(std::isnan(score[0].attention));
  EXPECT_FALSE(std::isnan(score[0].score));
  EXPECT_TRUE(std::isnan(alignment[0].score));
  EXPECT_FALSE(std::isnan(alignment[0].unaligned));
}

}  // namespace
}  // namespace tfm

#include "tfm/run/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(Validation, ScoreIsHigherForABetterModelByEveryMetric) {
  const Validation good{.scores = {.loss = 1, .bleu = 30, .chrf = 60}, .hypotheses = {}};
  const Validation bad{.scores = {.loss = 2, .bleu = 20, .chrf = 50}, .hypotheses = {}};
  for (const auto& metric : validation_metrics)
    EXPECT_GT(good.score(metric.keyword), bad.score(metric.keyword)) << metric.key;
}

TEST(FormatScores, RoundsEachMetricToItsDecimals) {
  const ValidationScores scores{.loss = 1.23456, .bleu = 20.126, .chrf = 50};
  EXPECT_THAT(format_scores(scores),
              testing::ElementsAre("loss 1.2346", "BLEU 20.13", "chrF2 50.00"));
  EXPECT_EQ(describe(scores), "loss 1.2346, BLEU 20.13, chrF2 50.00");
}

TEST(FormatScores, NamesABleuTokenizerOtherThan13a) {
  const ValidationScores scores{
      .loss = 1, .bleu = 20, .chrf = 50, .bleu_tokenizer = BleuTokenizer::zh};
  EXPECT_EQ(describe(scores), "loss 1.0000, BLEU 20.00 (tok:zh), chrF2 50.00");
}

}  // namespace
}  // namespace tfm

// Tests the rules of `tfm data clean` that need a model, with models that tfm trains. What they
// drop is compared with the scores that `tfm score` prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <vector>

#include "program.h"
#include "small_translator.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// A model from German to English in runs/small, and one for the other direction in runs/reverse.
struct CleanByModel : TrainedSuite<CleanByModel> {
  inline static const std::string command = train_small_translator;

  static const Workplace& workplace() { return *place; }

  static void SetUpTestSuite() {
    TrainedSuite<CleanByModel>::SetUpTestSuite();
    const auto reverse =
        place->tfm(std::string(train_small_translator) +
                   " data.train_source=data/cafe/train.en data.train_target=data/cafe/train.de "
                   "data.valid_source=data/cafe/valid.en data.valid_target=data/cafe/valid.de "
                   "data.valid_alignment= training.run_folder=runs/reverse");
    ASSERT_EQ(reverse.code, 0) << reverse.err;
  }

  /// Returns the cross-entropy of each line in nats per token.
  static std::vector<double> entropies(const std::string& arguments) {
    const auto outcome = place->tfm("score --normalize 1 " + arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<double> values;
    std::istringstream lines(outcome.out);
    for (double value = 0; lines >> value;) values.push_back(-value);
    return values;
  }

  /// Returns the lines that a rule dropped.
  static std::set<std::size_t> dropped_lines(const std::string& rule) {
    std::set<std::size_t> lines;
    std::istringstream dropped(place->folder.read("clean.dropped.tsv"));
    std::string name;
    std::string rest;
    for (std::size_t line = 0; std::getline(dropped, name, '\t');) {
      if (name == rule && dropped >> line) lines.insert(line);
      std::getline(dropped, rest);
    }
    return lines;
  }
};

// Without the rules that drop pairs of this text before a model sees them.
const std::string clean_test =
    "data clean data/cafe/test.de data/cafe/test.en -o clean --duplicate-pairs off --language off "
    "--copied off ";

/// Expects that exactly the lines with a smaller score than the median are dropped.
void expect_dropped_below_median(const std::vector<double>& scores, const std::string& models) {
  auto sorted = scores;
  std::ranges::sort(sorted);
  // The value lies between two scores, so that the digits that `tfm score` prints suffice.
  const double median = (sorted[sorted.size() / 2] + sorted[sorted.size() / 2 - 1]) / 2;
  const auto outcome =
      CleanByModel::workplace().tfm(clean_test + models + " --min-score " + std::to_string(median));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::set<std::size_t> expected;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i] < std::stod(std::to_string(median))) expected.insert(i + 1);
  EXPECT_EQ(CleanByModel::dropped_lines("min_score"), expected);
  EXPECT_THAT(outcome.out, HasSubstr("\nmin_score: a model's score of the pair"));
}

TEST_F(CleanByModel, DropsPairsWithALowMeanProbability) {
  std::vector<double> scores;
  for (const double entropy :
       entropies("-m runs/small --source data/cafe/test.de --target data/cafe/test.en"))
    scores.push_back(std::exp(-entropy));
  ASSERT_EQ(scores.size(), 250U);
  expect_dropped_below_median(scores, "--model runs/small");
}

TEST_F(CleanByModel, DropsPairsWithALowDualConditionalCrossEntropy) {
  const auto a = entropies("-m runs/small --source data/cafe/test.de --target data/cafe/test.en");
  const auto b = entropies("-m runs/reverse --source data/cafe/test.en --target data/cafe/test.de");
  ASSERT_EQ(a.size(), b.size());
  std::vector<double> scores;
  for (std::size_t i = 0; i < a.size(); ++i)
    scores.push_back(std::exp(-(std::abs(a[i] - b[i]) + (a[i] + b[i]) / 2)));
  expect_dropped_below_median(scores, "--model runs/small --reverse-model runs/reverse");
}

TEST_F(CleanByModel, CountsAndReportsRulesOfAlignmentsLikeOthers) {
  const auto outcome = place->tfm(clean_test +
                                  "--model runs/small --min-alignment 0.001 --max-unaligned 0.5 "
                                  "--report-html clean.html");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto dropped = dropped_lines("max_unaligned");
  EXPECT_THAT(outcome.out, HasSubstr("\nmin_alignment            0.001 "));
  EXPECT_THAT(outcome.out, HasSubstr("\nmax_unaligned              0.5 "));
  ASSERT_FALSE(dropped.empty()) << "a bad model aligns badly";
  EXPECT_THAT(outcome.out, HasSubstr("\n  line " + std::to_string(*dropped.begin()) + ": "));
  EXPECT_THAT(place->folder.read("clean.html"), HasSubstr("\"score\":0."));
}

TEST_F(CleanByModel, AcceptsAModelWhoseTagsNameNoLanguage) {
  const auto trained = place->tfm(std::string(train_small_translator) +
                                  " 'data.tags=valid=<BT>' training.run_folder=runs/tagged");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto outcome = place->tfm(clean_test + "--model runs/tagged --min-score 0.000001");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(CleanByModel, ExplainsMissingAndUnusedModels) {
  const auto missing = place->tfm(clean_test + "--min-score 0.1");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("--model"));
  const auto unused = place->tfm(clean_test + "--model runs/small");
  EXPECT_EQ(unused.code, 2);
  EXPECT_THAT(unused.err, HasSubstr("no rule uses the model"));
  EXPECT_EQ(place->tfm(clean_test + "--reverse-model runs/small").code, 2);
  EXPECT_EQ(place->tfm(clean_test + "--model runs/none --min-score 0.1").code, 1);
  const auto swapped = place->tfm(clean_test + "--model runs/reverse --min-score 0.1");
  EXPECT_EQ(swapped.code, 0);
  EXPECT_THAT(swapped.err, HasSubstr("translates from en to de, but scores from de to en"));
}

}  // namespace
}  // namespace tfm

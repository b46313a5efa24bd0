#include "tfm/search/next_tokens.h"

#include <gmock/gmock.h>

#include <limits>
#include <vector>

#include "search/table_model.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<std::int32_t> visited(const NextTokens& next, float threshold) {
  std::vector<std::int32_t> tokens;
  next.visit_promising([&] { return threshold; },
                       [&](std::int32_t token) { tokens.push_back(token); });
  return tokens;
}

TEST(NextTokens, VisitsTheTokensThatReachTheThresholdInOrder) {
  std::vector<float> logits(200, 1);
  logits[3] = logits[130] = 5;
  logits[199] = 4;
  const std::vector<float> maxima{5, 1, 1, 1, 5, 1, 4};
  for (const auto& known : {std::vector<float>(), maxima}) {
    const NextTokens next(logits, 2, known);
    EXPECT_EQ(next.log_prob(130), 3);
    EXPECT_THAT(visited(next, 2), ElementsAre(3, 130, 199));
    EXPECT_THAT(visited(next, 3), ElementsAre(3, 130));
    EXPECT_THAT(visited(next, 3.5F), IsEmpty());
    EXPECT_EQ(visited(next, -infinity).size(), 200U);
  }
}

TEST(NextTokens, SkipsABlockWhoseMaximumIsTooLow) {
  const std::vector<float> logits(2 * NextTokens::block_size, 1);
  const std::vector<float> maxima{0, 1};  // wrong for the first block, to see that it is not read
  EXPECT_EQ(visited(NextTokens(logits, 0, maxima), 0.5F).front(), NextTokens::block_size);
}

TEST(NextTokens, KnowsTheHighestLogProbabilityOnlyFromTheMaximaOfBlocks) {
  for (const std::size_t blocks : {1, 16, 17, 40}) {
    const std::vector<float> logits(blocks * NextTokens::block_size, 1);
    for (std::size_t best = 0; best < blocks; ++best) {
      std::vector<float> maxima(blocks, 1);
      maxima[best] = 6;
      EXPECT_EQ(NextTokens(logits, 2, maxima).highest(), 4) << best;
    }
    EXPECT_EQ(NextTokens(logits, 2).highest(), -infinity);
    EXPECT_TRUE(std::isnan(NextTokens(logits, nan, std::vector<float>(blocks, 1)).highest()));
  }
}

TEST(NextTokens, HasLogitsInPlaceOfLogProbabilitiesIfTheyAreKnown) {
  const std::vector<float> logits{1, 5};
  EXPECT_EQ(NextTokens(logits, 2).logits().log_prob(1), 5);
  EXPECT_TRUE(std::isnan(NextTokens(logits, nan).logits().log_prob(1))) << "a diverged model";
}

TEST(NextTokens, VisitsTokensThatAreNotNumbers) {
  std::vector<float> logits(70, -1);
  logits[66] = nan;
  EXPECT_THAT(visited(NextTokens(logits), 0), ElementsAre(66));
  const std::vector<float> maxima(3, -1);
  EXPECT_EQ(visited(NextTokens(logits, nan, maxima), 0).size(), 70U)
      << "the log-sum of a row with NaN is NaN";
}

/// A row that counts how often it was asked for.
class CountedRow : public LogProbRows {
 public:
  explicit CountedRow(std::vector<float> log_probs) : log_probs_(std::move(log_probs)) {}
  std::span<const float> row(std::size_t) override {
    ++requests;
    return log_probs_;
  }
  int requests = 0;

 private:
  std::vector<float> log_probs_;
};

TEST(NextTokens, AsksForTheWholeRowOnlyIfOtherTokensMayReachTheThreshold) {
  CountedRow rest({-5, -1, -3, -2, -3});
  const std::vector<ScoredToken> top{{1, -1}, {3, -2}, {4, -3}};
  const NextTokens next(top, rest, 0, 5);
  EXPECT_EQ(next.size(), 5);
  EXPECT_EQ(next.log_prob(3), -2);
  EXPECT_THAT(visited(next, -2.5F), ElementsAre(1, 3, 4));
  EXPECT_EQ(rest.requests, 0);
  EXPECT_THAT(visited(next, -3), ElementsAre(1, 3, 4, 2)) << "token 2 is as probable as token 4";
  EXPECT_EQ(rest.requests, 1);
  EXPECT_EQ(next.log_prob(0), -5);
  EXPECT_EQ(rest.requests, 2);
}

TEST(NextTokens, VisitsATopTokenThatIsNotANumber) {
  CountedRow rest({-5, nan});
  const std::vector<ScoredToken> top{{1, nan}};
  EXPECT_EQ(visited(NextTokens(top, rest, 0, 2), 0).front(), 1);
}

TEST(StepOutput, SubrowsOfTopTokensAreThoseOfTheWhole) {
  const std::vector<ScoredToken> top{{0, -1}, {1, -2}, {3, -3}, {2, -4}};
  CountedRow rest({});
  const StepOutput all{.rows = 2, .top = top, .rest = &rest, .vocab_size = 5};
  EXPECT_EQ(all.subrows(1, 1).next(0).log_prob(2), -4);
  EXPECT_EQ(all.subrows(1, 1).subrows(0, 1).first_row, 1U);
}

TEST(StepOutput, SubrowsAreThoseOfTheWhole) {
  const std::vector<float> logits{0, 1, 2, 3, 4, 5};
  const std::vector<float> log_sums{10, 20, 30};
  const std::vector<float> maxima{1, 3, 5};
  const std::vector<float> attention{0.1F, 0.2F, 0.3F};
  const StepOutput all{.rows = 3,
                       .logits = logits,
                       .log_sums = log_sums,
                       .block_maxima = maxima,
                       .attention = attention};
  const auto last = all.subrows(1, 2);
  ASSERT_EQ(last.rows, 2U);
  EXPECT_EQ(last.next(1).log_prob(0), 4 - 30);
  EXPECT_THAT(visited(last.next(0), 3 - 20), ElementsAre(1));
  EXPECT_THAT(last.attention_row(1), ElementsAre(0.3F));
  EXPECT_THAT(all.subrows(0, 1).next(0).log_prob(1), 1 - 10);
}

}  // namespace
}  // namespace tfm

#include "tfm/metrics/alignment_error_rate.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

// The rate was computed by hand: A = {0-0, 1-1, 2-2}, S = {0-0, 1-2} and P = S + {1-1}. Then |A and
// S| = 1 and |A and P| = 2, so the rate is 1 - 3/5.
TEST(AlignmentErrorRate, CountsSureAndPossibleLinks) {
  EXPECT_DOUBLE_EQ(
      alignment_error_rate({{{0, 0}, {1, 1}, {2, 2}}}, {parse_pharaoh("0-0 1-2 1p1", "")}),
      1 - 3.0 / 5);
}

TEST(AlignmentErrorRate, IsZeroIfAllSureLinksAreFoundAndOneIfNoLinkIsRight) {
  const std::vector<GoldAlignment> gold{parse_pharaoh("0-0 1-1", ""), parse_pharaoh("0-1", "")};
  EXPECT_DOUBLE_EQ(alignment_error_rate({{{0, 0}, {1, 1}}, {{0, 1}}}, gold), 0);
  EXPECT_DOUBLE_EQ(alignment_error_rate({{{0, 1}, {1, 0}}, {{1, 1}}}, gold), 1);
  EXPECT_DOUBLE_EQ(alignment_error_rate({{}, {}}, gold), 1);
}

TEST(AlignmentErrorRate, PoolsAllSentencesAndCountsARepeatedLinkOnce) {
  // In the first sentence, both links are right; in the second, the only link is wrong. The rate is
  // 1 - (2 + 2) / (3 + 3).
  EXPECT_DOUBLE_EQ(alignment_error_rate({{{0, 0}, {1, 1}, {1, 1}}, {{0, 0}}},
                                        {parse_pharaoh("0-0 1-1", ""), parse_pharaoh("0-1", "")}),
                   1 - 4.0 / 6);
}

}  // namespace
}  // namespace tfm

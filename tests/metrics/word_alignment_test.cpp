#include "tfm/metrics/word_alignment.h"

#include <gmock/gmock.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(PharaohFormat, CanBeParsedAndFormatted) {
  const auto gold = parse_pharaoh("0-0 2-1  10p3", "test");
  EXPECT_THAT(gold.sure, ElementsAre(WordLink{0, 0}, WordLink{2, 1}));
  EXPECT_THAT(gold.possible, ElementsAre(WordLink{10, 3}));
  EXPECT_EQ(format_pharaoh(gold.sure), "0-0 2-1");
  EXPECT_EQ(format_pharaoh({}), "");
}

TEST(ParsePharaoh, ThrowsForMalformedLinks) {
  for (const char* wrong :
       {"1", "1-", "-1", "a-b", "1-2-3", "1:2", "99999999999999999999-0", "0--1"}) {
    EXPECT_THROW(parse_pharaoh(wrong, "test"), DataError) << wrong;
  }
}

TEST(ReadAlignments, ThrowsWithTheLineOfAMalformedLink) {
  const TemporaryFolder folder;
  folder.write("gold.align", "0-0\n\n0-0 x\n");
  try {
    read_alignments(folder.path("gold.align"));
    FAIL();
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("gold.align:3"));
  }
  folder.write("gold.align", "0-0\n\n1-1\n");
  const auto gold = read_alignments(folder.path("gold.align"));
  ASSERT_EQ(gold.size(), 3u) << "an empty line is a sentence without links";
  EXPECT_THAT(gold[1].sure, IsEmpty());
}

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

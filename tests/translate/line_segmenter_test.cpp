#include "tfm/translate/line_segmenter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tiny_model.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LineSegmenterTest : public testing::Test {
 protected:
  /// Returns word tokenizers. A word with its full stop is a single token.
  static TokenizerPair tokenizers() {
    TokenizerConfig config;
    config.kind = TokenizerKind::word;
    const std::vector<std::string> words{"A a aa. B b bb. C c cc. \u4f60\u3002 \u597d\u3002"};
    return build_tokenizers(config, words, words);
  }

  SegmentedLine segment(const std::string& line, SplitSentences wanted = SplitSentences::automatic,
                        std::int64_t limit = 4) {
    return LineSegmenter(*pair.source, limit, wanted).segment(line);
  }

  std::vector<std::string> texts(const SegmentedLine& segmented) const {
    std::vector<std::string> result;
    for (const auto& part : segmented.segments) result.push_back(pair.source->decode(part.ids));
    return result;
  }

  static std::vector<std::string> gaps(const SegmentedLine& segmented) {
    std::vector<std::string> result;
    for (const auto& part : segmented.segments) result.push_back(part.gap);
    return result;
  }

  const TokenizerPair pair = tokenizers();
};

TEST_F(LineSegmenterTest, KeepsALineInOneSegmentWhenItFits) {
  const auto segmented = segment("A aa. B bb.");
  EXPECT_FALSE(segmented.was_split);
  EXPECT_THAT(gaps(segmented), ElementsAre(""));
}

TEST_F(LineSegmenterTest, PutsAsManySentencesAsFitIntoASegment) {
  const auto segmented = segment("A aa. B bb.  C cc. A a zz aa.");
  EXPECT_TRUE(segmented.was_split);
  EXPECT_THAT(gaps(segmented), ElementsAre("", "  ", " "));
  EXPECT_EQ(segmented.segments[0].ids.size(), 4U);
  EXPECT_EQ(segmented.segments[1].ids.size(), 2U);
  EXPECT_EQ(segmented.segments[2].ids.size(), 4U);
  EXPECT_THAT(segmented.unknown, ElementsAre("zz"));
}

TEST_F(LineSegmenterTest, SplitsASentenceOnlyWhenItIsTooLongByItself) {
  const auto segmented = segment("A b cc. A a a a a aa. B bb.");
  EXPECT_THAT(texts(segmented), ElementsAre("A b cc.", "A a a", "a a aa.", "B bb."));
  EXPECT_THAT(gaps(segmented), ElementsAre("", " ", " ", " "));
}

TEST_F(LineSegmenterTest, SplitsALongLineEvenlyWhenSentenceSplittingIsOff) {
  const auto segmented = segment("A b cc. A a a a a aa. B bb.", SplitSentences::never);
  EXPECT_EQ(segmented.segments.size(), 3U);
  for (const auto& part : segmented.segments) EXPECT_GE(part.ids.size(), 3U);
  EXPECT_TRUE(segmented.was_split);
}

TEST_F(LineSegmenterTest, MakesEverySentenceASegmentWhenSentencesAreAlwaysSplit) {
  const auto segmented = segment("A aa. B bb. C", SplitSentences::always, 100);
  EXPECT_FALSE(segmented.was_split);
  EXPECT_EQ(segmented.segments.size(), 3U);
}

TEST_F(LineSegmenterTest, ReturnsNoSegmentsWhenALineHasNoTokens) {
  for (const auto wanted :
       {SplitSentences::automatic, SplitSentences::always, SplitSentences::never}) {
    EXPECT_THAT(segment("", wanted).segments, IsEmpty());
    EXPECT_THAT(segment("  \t ", wanted).segments, IsEmpty());
    EXPECT_THAT(segment(" \u3000\u00a0", wanted).segments, IsEmpty());
  }
}

TEST_F(LineSegmenterTest, FindsEastAsianSentenceBoundariesWithoutSpaces) {
  const auto segmented = segment("\u4f60\u3002\u597d\u3002 \u4f60\u3002", SplitSentences::always);
  EXPECT_THAT(gaps(segmented), ElementsAre("", "", " "));
}

}  // namespace
}  // namespace tfm

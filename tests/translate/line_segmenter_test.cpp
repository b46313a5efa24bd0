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
  /// Tokenizers for which every word is a token, including its full stop.
  static TokenizerPair tokenizers() {
    TokenizerConfig config;
    config.kind = TokenizerKind::word;
    const std::vector<std::string> words{"A a aa. B b bb. C c cc. \u4f60\u3002 \u597d\u3002"};
    return build_tokenizers(config, words, words);
  }

  SegmentedLine divide(const std::string& line, SplitSentences wanted = SplitSentences::automatic,
                       std::int64_t limit = 4) {
    return LineSegmenter(*pair.source, limit, wanted).divide(line);
  }

  std::vector<std::string> texts(const SegmentedLine& divided) const {
    std::vector<std::string> result;
    for (const auto& part : divided.parts) result.push_back(pair.source->decode(part.ids));
    return result;
  }

  static std::vector<std::string> gaps(const SegmentedLine& divided) {
    std::vector<std::string> result;
    for (const auto& part : divided.parts) result.push_back(part.gap);
    return result;
  }

  const TokenizerPair pair = tokenizers();
};

TEST_F(LineSegmenterTest, KeepsALineInOneSegmentWhenItFits) {
  const auto divided = divide("A aa. B bb.");
  EXPECT_FALSE(divided.too_long);
  EXPECT_THAT(gaps(divided), ElementsAre(""));
}

TEST_F(LineSegmenterTest, PutsAsManySentencesAsFitIntoASegment) {
  const auto divided = divide("A aa. B bb.  C cc. A a zz aa.");
  EXPECT_TRUE(divided.too_long);
  EXPECT_THAT(gaps(divided), ElementsAre("", "  ", " "));
  EXPECT_EQ(divided.parts[0].ids.size(), 4U);
  EXPECT_EQ(divided.parts[1].ids.size(), 2U);
  EXPECT_EQ(divided.parts[2].ids.size(), 4U);
  EXPECT_THAT(divided.unknown, ElementsAre("zz"));
}

TEST_F(LineSegmenterTest, SplitsASentenceOnlyWhenItIsTooLongByItself) {
  const auto divided = divide("A b cc. A a a a a aa. B bb.");
  EXPECT_THAT(texts(divided), ElementsAre("A b cc.", "A a a", "a a aa.", "B bb."));
  EXPECT_THAT(gaps(divided), ElementsAre("", " ", " ", " "));
}

TEST_F(LineSegmenterTest, SplitsALineIntoEqualSegmentsWhenSentencesAreNotSplit) {
  const auto divided = divide("A b cc. A a a a a aa. B bb.", SplitSentences::never);
  EXPECT_EQ(divided.parts.size(), 3U);
  for (const auto& part : divided.parts) EXPECT_GE(part.ids.size(), 3U);
  EXPECT_TRUE(divided.too_long);
}

TEST_F(LineSegmenterTest, MakesEverySentenceASegmentWhenSentencesAreAlwaysSplit) {
  const auto divided = divide("A aa. B bb. C", SplitSentences::always, 100);
  EXPECT_FALSE(divided.too_long);
  EXPECT_EQ(divided.parts.size(), 3U);
}

TEST_F(LineSegmenterTest, ReturnsNoSegmentsWhenALineHasNoTokens) {
  for (const auto wanted :
       {SplitSentences::automatic, SplitSentences::always, SplitSentences::never}) {
    EXPECT_THAT(divide("", wanted).parts, IsEmpty());
    EXPECT_THAT(divide("  \t ", wanted).parts, IsEmpty());
    EXPECT_THAT(divide(" \u3000\u00a0", wanted).parts, IsEmpty());
  }
}

TEST_F(LineSegmenterTest, FindsEastAsianSentencesWithoutSpaces) {
  const auto divided = divide("\u4f60\u3002\u597d\u3002 \u4f60\u3002", SplitSentences::always);
  EXPECT_THAT(gaps(divided), ElementsAre("", "", " "));
}

}  // namespace
}  // namespace tfm

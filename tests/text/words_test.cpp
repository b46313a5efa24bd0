#include "tfm/text/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitWords, DividesAtAsciiWhiteSpaceOnly) {
  EXPECT_THAT(split_words(" a\tb\u00A0c\r\n"), ElementsAre("a", "b\u00A0c"));
  EXPECT_THAT(split_words(" \t"), IsEmpty());
}

TEST(Trim, RemovesCharactersFromBothEndsOnly) {
  EXPECT_EQ(trim(" \ta b\v\f\r\n"), "a b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim("\u00A0a"), "\u00A0a");
  EXPECT_EQ(trim("--a-b-", "-"), "a-b");
}

TEST(Trim, ReturnsAnEmptyViewIfNothingElseIsLeft) {
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim(" \n"), "");
}

}  // namespace
}  // namespace tfm

#include "tfm/core/wrap.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(WrapText, BreaksAtTheLastSpaceThatFits) {
  EXPECT_EQ(wrap_text("one two three", 8), "one two\nthree\n");
  EXPECT_EQ(wrap_text("one two three", 13), "one two three\n");
  EXPECT_EQ(wrap_text("one two three", 12), "one two\nthree\n");
}

TEST(WrapText, CountsTheIndentAsPartOfTheWidth) {
  EXPECT_EQ(wrap_text("one two three", 9, "  "), "  one two\n  three\n");
  EXPECT_EQ(wrap_text("one two three", 8, "  "), "  one\n  two\n  three\n");
}

TEST(WrapText, KeepsLineFeedsAndLongWords) {
  EXPECT_EQ(wrap_text("a\n\nb", 10, "  "), "  a\n\n  b\n");
  EXPECT_EQ(wrap_text("a incomprehensibly b", 6), "a\nincomprehensibly\nb\n");
  EXPECT_EQ(wrap_text("incomprehensibly", 6), "incomprehensibly\n");
}

}  // namespace
}  // namespace tfm

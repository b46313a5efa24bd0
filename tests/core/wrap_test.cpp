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

TEST(WrapMessage, BreaksBetweenFieldsAndIndentsTheRest) {
  EXPECT_EQ(wrap_message("step 3  loss 5.25  rate 1.45e-05", 33, 0),
            "step 3  loss 5.25  rate 1.45e-05");
  EXPECT_EQ(wrap_message("step 3  loss 5.25  rate 1.45e-05", 33, 3),
            "step 3  loss 5.25\n  rate 1.45e-05");
  EXPECT_EQ(wrap_message("step 3  loss 5.25  rate 1.45e-05", 16, 0),
            "step 3\n  loss 5.25\n  rate 1.45e-05");
}

TEST(WrapMessage, BreaksAtTheLastSpaceIfTheLineHasOnlyAShortField) {
  EXPECT_EQ(wrap_message("a  one two three", 12, 0), "a  one two\n  three");
  EXPECT_EQ(wrap_message("one two three", 8, 0), "one two\n  three");
  EXPECT_EQ(wrap_message("incomprehensibly b", 6, 0), "incomprehensibly\n  b");
}

TEST(WrapMessage, KeepsACommandInOnePiece) {
  EXPECT_EQ(wrap_message("now use `tfm config init a b` for it", 16, 0),
            "now use\n  `tfm config init a b`\n  for it");
}

TEST(WrapMessage, KeepsLineFeedsAndIndents) {
  EXPECT_EQ(wrap_message("one two\n    three four\n", 12, 4), "one two\n    three\n      four\n");
}

TEST(WrapMessage, CountsCharactersNotBytes) {
  EXPECT_EQ(wrap_message("äöü äöü", 7, 0), "äöü äöü");
  EXPECT_EQ(wrap_message("äöü äöü", 6, 0), "äöü\n  äöü");
}

}  // namespace
}  // namespace tfm

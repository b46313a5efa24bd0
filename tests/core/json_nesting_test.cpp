#include "tfm/core/json_nesting.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(JsonNesting, CountsTheLevelsThatAreOpenTogether) {
  EXPECT_EQ(json_nesting(""), 0);
  EXPECT_EQ(json_nesting("1"), 0);
  EXPECT_EQ(json_nesting(R"([1, [2], {"a": [3]}])"), 3);
  EXPECT_EQ(json_nesting(R"({"a": 1}, {"b": 2})"), 1);
}

TEST(JsonNesting, IgnoresBracketsWithinTexts) {
  EXPECT_EQ(json_nesting(R"(["[[[", "\"[[{", "\\"])"), 1);
}

TEST(JsonNesting, AcceptsTextThatIsNotJson) {
  EXPECT_EQ(json_nesting("]]}}[["), 2);
  EXPECT_EQ(json_nesting("\"\\"), 0);
}

}  // namespace
}  // namespace tfm

#include "tfm/text/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfm {
namespace {

using namespace std::string_literals;

TEST(Utf8, AcceptsWellFormedText) {
  for (const std::string& text : {""s, "plain"s, "\0"s, "Müller"s, "\u65e5\u672c\u8a9e"s,
                                  "\U0001F37A"s, "\u07FF\u0800\uFFFF\U00010000\U0010FFFF"s}) {
    EXPECT_EQ(invalid_utf8(text), std::nullopt) << text;
  }
}

TEST(Utf8, ReturnsTheOffsetOfTheFirstMalformedByte) {
  struct Case {
    std::string text;
    std::size_t at;
  };
  // Most of these texts are just outside the ranges in table 3-7 of the Unicode Standard.
  const std::vector<Case> cases{{"ab\xFF", 2},
                                {"\x80", 0},
                                {"ä\xC3", 2},
                                {"\xC3(", 0},
                                {"\xC0\xAF", 0},
                                {"\xC1\xBF", 0},
                                {"\xE0\x9F\xBF", 0},
                                {"\xED\xA0\x80", 0},
                                {"\xED\xBF\xBF", 0},
                                {"\xF0\x8F\xBF\xBF", 0},
                                {"\xF4\x90\x80\x80", 0},
                                {"\xF5\x80\x80\x80", 0},
                                {"x\xE2\x82", 1},
                                {"x\xF0\x9F\x8D", 1},
                                {"\xFE", 0}};
  for (const auto& [text, at] : cases)
    EXPECT_EQ(invalid_utf8(text), at) << testing::PrintToString(text);
}

TEST(Utf8, DecodesOneCodePointAtATime) {
  const std::string text = "aß\u20ac\U0001F37A\u00e9";
  std::vector<char32_t> read;
  std::vector<std::size_t> ends;
  for (std::size_t position = 0; position < text.size();) {
    read.push_back(next_code_point(text, position));
    ends.push_back(position);
  }
  EXPECT_EQ(read, (std::vector<char32_t>{U'a', U'ß', U'\u20ac', U'\U0001F37A', U'\u00e9'}));
  EXPECT_EQ(ends, (std::vector<std::size_t>{1, 3, 6, 10, 12}));
}

TEST(Utf8, EncodesDecodedCodePointsToTheSameBytes) {
  for (const std::string& text : {"\0"s, "a"s, "\x7F"s, "\u0080"s, "\u07FF"s, "\u0800"s, "\uFFFF"s,
                                  "\U00010000"s, "\U0010FFFF"s}) {
    std::size_t position = 0;
    EXPECT_EQ(encode_utf8(next_code_point(text, position)), text) << testing::PrintToString(text);
  }
}

TEST(Utf8, RepairReplacesMalformedBytesByReplacementCharacters) {
  EXPECT_EQ(repair_utf8("a\xFF\xC3\xA4\xC3"), "a\xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBD");
}

TEST(Utf8, DecodesAMalformedByteAsReplacementCharacter) {
  const std::string text = "\xC3z";
  std::size_t position = 0;
  EXPECT_EQ(next_code_point(text, position), U'\uFFFD');
  EXPECT_EQ(next_code_point(text, position), U'z');
}

}  // namespace
}  // namespace tfm

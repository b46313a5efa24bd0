#include "tfm/text/unicode_categories.h"

#include <gtest/gtest.h>

#include <array>

#include "text/script_ranges.h"
#include "text/unicode_ranges.h"

namespace tfm {
namespace {

TEST(UnicodeCategory, DistinguishesNumbersPunctuationAndSymbols) {
  for (const char32_t c : {U'0', U'½', U'٣', U'Ⅷ', U'\U0001D7FF'})
    EXPECT_EQ(unicode_category(c), UnicodeCategory::number) << std::hex << std::uint32_t{c};
  for (const char32_t c : {U'!', U'_', U'«', U'。', U'\U0001E95F'})
    EXPECT_EQ(unicode_category(c), UnicodeCategory::punctuation) << std::hex << std::uint32_t{c};
  for (const char32_t c : {U'$', U'+', U'°', U'€', U'\U0001F600'})
    EXPECT_EQ(unicode_category(c), UnicodeCategory::symbol) << std::hex << std::uint32_t{c};
  for (const char32_t c : {U' ', U'a', U'ä', U'漢', U'\u0301', U'\u200b', U'\U0010FFFF'})
    EXPECT_EQ(unicode_category(c), UnicodeCategory::other) << std::hex << std::uint32_t{c};
  EXPECT_EQ(unicode_category(0xDCFF), UnicodeCategory::other) << "a byte that is not UTF-8";
}

TEST(SpacelessScript, DistinguishesHanKanaAndSoutheastAsianScripts) {
  for (const char32_t c : {U'漢', U'々', U'\U00020000'})
    EXPECT_EQ(spaceless_script(c), SpacelessScript::han) << std::hex << std::uint32_t{c};
  for (const char32_t c : {U'の', U'カ', U'ｱ'})
    EXPECT_EQ(spaceless_script(c), SpacelessScript::kana) << std::hex << std::uint32_t{c};
  for (const char32_t c : {U'ก', U'ກ', U'ក', U'က'})
    EXPECT_EQ(spaceless_script(c), SpacelessScript::southeast_asian)
        << std::hex << std::uint32_t{c};
  for (const char32_t c : {U'a', U'한', U'。', U'א', U'😀'})
    EXPECT_EQ(spaceless_script(c), SpacelessScript::none) << std::hex << std::uint32_t{c};
}

TEST(Script, KnowsTheScriptOfLetters) {
  struct Case {
    char32_t letter;
    Script script;
  };
  for (const auto& [letter, expected] :
       {Case{U'a', Script::latin}, Case{U'ß', Script::latin}, Case{U'Ω', Script::greek},
        Case{U'ж', Script::cyrillic}, Case{U'א', Script::hebrew}, Case{U'ع', Script::arabic},
        Case{U'ह', Script::devanagari}, Case{U'한', Script::hangul}, Case{U'漢', Script::han},
        Case{U'カ', Script::kana}, Case{U'ก', Script::thai}, Case{U'ა', Script::georgian},
        Case{U'1', Script::other}, Case{U'.', Script::other}, Case{U'ᚠ', Script::other}})
    EXPECT_EQ(script(letter), expected) << std::hex << std::uint32_t{letter};
}

TEST(LowercaseLetter, ReturnsTheOnlyLowerCaseLetter) {
  EXPECT_EQ(lowercase_letter(U'A'), U'a');
  EXPECT_EQ(lowercase_letter(U'Ä'), U'ä');
  EXPECT_EQ(lowercase_letter(U'Ж'), U'ж');
  EXPECT_EQ(lowercase_letter(U'ß'), U'ß');
  EXPECT_EQ(lowercase_letter(U'漢'), U'漢');
  EXPECT_EQ(lowercase_letter(0x130), 0x130u) << "its lower case is i and a combining dot";
}

TEST(UnicodeRanges, AreInAscendingOrder) {
  const auto expect_order = [](const auto& ranges) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      EXPECT_LE(ranges[i].first, ranges[i].last);
      if (i > 0) {
        EXPECT_LT(ranges[i - 1].last + 1, ranges[i].first);
      }
    }
  };
  expect_order(number_ranges);
  expect_order(punctuation_ranges);
  expect_order(symbol_ranges);
  for (std::size_t i = 1; i < script_ranges.size(); ++i)
    EXPECT_LT(script_ranges[i - 1].last, script_ranges[i].first);
}

}  // namespace
}  // namespace tfm

#include "tfm/core/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace tfm {
namespace {

TEST(FormatDuration, UsesTheTwoLargestUnits) {
  EXPECT_EQ(format_duration(0), "0s");
  EXPECT_EQ(format_duration(45), "45s");
  EXPECT_EQ(format_duration(60), "1m00s");
  EXPECT_EQ(format_duration(200), "3m20s");
  EXPECT_EQ(format_duration(3600), "1h00m");
  EXPECT_EQ(format_duration(3725), "1h02m");
  EXPECT_EQ(format_duration(100 * 3600), "100h00m");
}

TEST(FormatDuration, RoundsToTheNearestSecondBeforeChoosingTheUnits) {
  EXPECT_EQ(format_duration(0.4), "0s");
  EXPECT_EQ(format_duration(59.6), "1m00s");
  EXPECT_EQ(format_duration(3599.7), "1h00m");
}

TEST(FormatBytes, UsesDecimalUnits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1500), "1.5 kB");
  EXPECT_EQ(format_bytes(45e6), "45 MB");
  EXPECT_EQ(format_bytes(2.25e12), "2.2 TB");
}

TEST(GroupDigits, SeparatesGroupsOfThreeDigits) {
  EXPECT_EQ(group_digits(0), "0");
  EXPECT_EQ(group_digits(999), "999");
  EXPECT_EQ(group_digits(1000), "1,000");
  EXPECT_EQ(group_digits(1234567), "1,234,567");
  EXPECT_EQ(group_digits(-123456), "-123,456");
}

TEST(FormatDuration, HandlesNegativeHugeAndNonFiniteValues) {
  EXPECT_EQ(format_duration(-3), "0s");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_NO_THROW(format_duration(1e300));
}

TEST(EscapeControls, EscapesControlCharactersExceptTabAndLineFeed) {
  EXPECT_EQ(escape_controls("grün\tist\n\xE2\x96\x81"
                            "ein"),
            "grün\tist\n\xE2\x96\x81"
            "ein");
  EXPECT_EQ(escape_controls("\x1b[2J\r\a\x7f"), "\\x1b[2J\\x0d\\x07\\x7f");
  EXPECT_EQ(escape_controls("\xC2\x9B"
                            "31m"),
            "\\x9b31m");
  EXPECT_EQ(escape_controls("\xC2\xA0\xC2"), "\xC2\xA0\xC2");
  EXPECT_EQ(escape_controls(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(WithNoun, AddsAnSUnlessTheCountIsOne) {
  EXPECT_EQ(with_noun(0, "thread"), "0 threads");
  EXPECT_EQ(with_noun(1, "thread"), "1 thread");
  EXPECT_EQ(with_noun(2, "thread"), "2 threads");
}

}  // namespace
}  // namespace tfm

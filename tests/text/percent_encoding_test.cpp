#include "tfm/text/percent_encoding.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(DecodePercent, ReplacesTwoHexadecimalDigitsByTheirByte) {
  EXPECT_EQ(decode_percent("a%20b%C3%a4%25"), "a b\u00e4%");
  EXPECT_EQ(decode_percent("%41%2B+"), "A++");
  EXPECT_EQ(decode_percent("%00").size(), 1U);
}

TEST(DecodePercent, KeepsAPercentSignWithoutTwoDigits) {
  for (const char* text : {"", "%", "%2", "100 %", "%zz", "%2z", "%-1", "% 1", "%+1", "%%"})
    EXPECT_EQ(decode_percent(text), text);
}

}  // namespace
}  // namespace tfm

#include "metrics/lowercase.h"

#include <gtest/gtest.h>

#include "golden.h"

namespace tfm {
namespace {

TEST(Lowercase, EqualsStrLowerOfPython) {
  const auto& pairs = options_golden().at("lowercase");
  ASSERT_GE(pairs.size(), 80U);
  for (const auto& pair : pairs) {
    const auto text = pair.at(0).get<std::string>();
    EXPECT_EQ(lowercase(text), pair.at(1).get<std::string>()) << text;
  }
}

TEST(Lowercase, KeepsBytesThatAreNotUtf8) { EXPECT_EQ(lowercase("A\xff Ä\xc3"), "a\xff ä\xc3"); }

}  // namespace
}  // namespace tfm

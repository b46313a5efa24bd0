#include "tfm/data/text_sample.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

ParallelText numbered(int pairs) {
  ParallelText text;
  for (int i = 0; i < pairs; ++i) {
    text.source.push_back(fmt::format("s{}", i));
    text.target.push_back(fmt::format("t{}", i));
  }
  return text;
}

TEST(TextSample, IsTheTextIfItIsSmall) {
  const auto text = numbered(5);
  const auto sample = sample_of(text, 5);
  EXPECT_EQ(sample.source, text.source);
  EXPECT_EQ(sample.target, text.target);
}

TEST(TextSample, KeepsPairsTogetherAndInOrder) {
  const auto sample = sample_of(numbered(1000), 100);
  ASSERT_EQ(sample.source.size(), 100U);
  int before = -1;
  for (std::size_t i = 0; i < 100; ++i) {
    const int number = std::stoi(sample.source[i].substr(1));
    EXPECT_EQ(sample.target[i], fmt::format("t{}", number));
    EXPECT_GT(number, before);
    before = number;
  }
}

TEST(TextSample, CountsAllPairsAndBytes) {
  TextSample sample(2);
  for (int i = 0; i < 10; ++i) sample.add("abc", "de");
  EXPECT_EQ(sample.pairs(), 10);
  EXPECT_EQ(sample.bytes(), 50);
}

/// A tenth of the text is sampled, so a tenth of the sample comes from each tenth of the text: 100
/// pairs with a standard deviation of 9. The test allows five.
TEST(TextSample, IsUniform) {
  const auto sample = sample_of(numbered(10'000), 1000);
  std::vector<int> tenths(10);
  for (const std::string& line : sample.source)
    ++tenths[static_cast<std::size_t>(std::stoi(line.substr(1)) / 1000)];
  EXPECT_THAT(tenths, testing::Each(testing::AllOf(testing::Gt(55), testing::Lt(145))));
}

}  // namespace
}  // namespace tfm

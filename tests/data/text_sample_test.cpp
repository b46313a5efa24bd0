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

ParallelText sample_of_one(const ParallelText& text, std::int64_t most) {
  return sample_of({&text, 1}, most);
}

TEST(TextSample, IsTheTextIfItIsSmall) {
  const auto text = numbered(5);
  const auto sample = sample_of_one(text, 5);
  EXPECT_EQ(sample.source, text.source);
  EXPECT_EQ(sample.target, text.target);
}

TEST(TextSample, KeepsPairsTogetherAndInOrder) {
  const auto sample = sample_of_one(numbered(1000), 100);
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

TEST(TextSample, OfSeveralTextsIsThatOfTheirConcatenation) {
  const std::vector<ParallelText> texts{numbered(30), numbered(50)};
  ParallelText joined = numbered(30);
  std::ranges::copy(texts[1].source, std::back_inserter(joined.source));
  std::ranges::copy(texts[1].target, std::back_inserter(joined.target));
  EXPECT_EQ(sample_of(texts, 20).source, sample_of_one(joined, 20).source);
}

/// A tenth of the text is sampled, so a tenth of the sample comes from each tenth of the text: 100
/// pairs with a standard deviation of 9. The test allows five.
TEST(TextSample, IsUniform) {
  const auto sample = sample_of_one(numbered(10'000), 1000);
  std::vector<int> tenths(10);
  for (const std::string& line : sample.source)
    ++tenths[static_cast<std::size_t>(std::stoi(line.substr(1)) / 1000)];
  EXPECT_THAT(tenths, testing::Each(testing::AllOf(testing::Gt(55), testing::Lt(145))));
}

}  // namespace
}  // namespace tfm

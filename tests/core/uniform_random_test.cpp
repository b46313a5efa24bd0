#include "tfm/core/uniform_random.h"

#include <gtest/gtest.h>

#include <array>

namespace tfm {
namespace {

/// The first numbers of SplitMix64 with the seed 1234567, as the reference implementation
/// (Vigna, prng.di.unimi.it/splitmix64.c) prints them.
TEST(MixBits, IsTheLastStepOfSplitMix64) {
  constexpr std::uint64_t increment = 0x9E3779B97F4A7C15;
  constexpr std::array<std::uint64_t, 3> expected{6457827717110365317ULL, 3203168211198807973ULL,
                                                  9817491932198370423ULL};
  std::uint64_t state = 1234567;
  for (const std::uint64_t number : expected) EXPECT_EQ(mix_bits(state += increment), number);
}

TEST(RandomStream, DependsOnEveryNumberOfItsKeyAndOnTheirOrder) {
  const auto first = [](RandomStream stream) { return stream(); };
  EXPECT_EQ(first(RandomStream({1, 2, 3})), first(RandomStream({1, 2, 3})));
  EXPECT_NE(first(RandomStream({1, 2, 3})), first(RandomStream({1, 2, 4})));
  EXPECT_NE(first(RandomStream({1, 2, 3})), first(RandomStream({2, 1, 3})));
  EXPECT_NE(first(RandomStream({0})), first(RandomStream({0, 0})));
}

TEST(RandomStream, ChanceIsNeverForZeroAndAlwaysForOne) {
  RandomStream random({7});
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(random.chance(0));
    EXPECT_TRUE(random.chance(1));
  }
}

/// Each number below 10 is expected 10,000 times among 100,000. The chi-square statistic with 9
/// degrees of freedom exceeds 27.9 once in a thousand seeds.
TEST(RandomStream, BelowIsUniform) {
  RandomStream random({7});
  std::array<double, 10> counts{};
  for (int i = 0; i < 100'000; ++i) ++counts.at(random.below(10));
  double statistic = 0;
  for (const double count : counts) statistic += (count - 10'000) * (count - 10'000) / 10'000;
  EXPECT_LT(statistic, 27.9);
}

}  // namespace
}  // namespace tfm

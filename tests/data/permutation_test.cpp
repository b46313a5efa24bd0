#include "tfm/data/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tfm {
namespace {

std::vector<std::int64_t> all_places(std::int64_t size, std::uint32_t seed) {
  const Permutation permutation(size, std::vector<std::uint32_t>{seed});
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < size; ++i) numbers.push_back(permutation(i));
  return numbers;
}

TEST(Permutation, HasEveryNumberOnce) {
  for (const std::int64_t size : {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 1000, 4097, 100'000}) {
    auto numbers = all_places(size, 7);
    std::ranges::sort(numbers);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(size));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(numbers, expected) << size;
  }
}

TEST(Permutation, DependsOnEveryWordOfTheSeed) {
  const std::vector<std::vector<std::uint32_t>> seeds{{1}, {2}, {1, 0, 0, 1}, {1, 0, 1, 0}};
  std::vector<std::vector<std::int64_t>> found;
  for (const auto& seed : seeds) {
    const Permutation permutation(1000, seed);
    found.emplace_back();
    for (std::int64_t i = 0; i < 1000; ++i) found.back().push_back(permutation(i));
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(found[i], found[j]) << i << ", " << j;
}

TEST(Permutation, ComputesNumbersOfSizesThatNoMemoryHolds) {
  constexpr std::int64_t size = std::int64_t{1} << 40;
  const Permutation permutation(size, std::vector<std::uint32_t>{1});
  for (const std::int64_t i : {std::int64_t{0}, size / 2, size - 1}) {
    EXPECT_GE(permutation(i), 0);
    EXPECT_LT(permutation(i), size);
  }
}

/// Returns the chi-square statistic of counts that should all be `expected`.
double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int count : counts) {
    const double difference = count - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

/// Over many seeds, every place has every number equally often. With 16 x 15 degrees of freedom,
/// the statistic has a mean of 240 and a standard deviation of 22; a wrong permutation of 16
/// numbers (three rounds, say) exceeds a thousand.
TEST(Permutation, PutsEveryNumberAtEveryPlaceEquallyOften) {
  constexpr int seeds = 20000;
  std::vector<int> counts(16 * 16);
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const auto numbers = all_places(16, seed);
    for (std::size_t place = 0; place < 16; ++place)
      ++counts[place * 16 + static_cast<std::size_t>(numbers[place])];
  }
  EXPECT_LT(chi_square(counts, seeds / 16.0), 240 + 5 * 22);
}

/// In one permutation, the part of the corpus that a number comes from says nothing about the place
/// where it goes: 64 x 64 cells, 63 x 63 degrees of freedom, standard deviation 89.
TEST(Permutation, SpreadsEveryPartOfTheCorpusEvenly) {
  constexpr std::int64_t size = 1'000'000, parts = 64;
  const Permutation permutation(size, std::vector<std::uint32_t>{3});
  std::vector<int> counts(parts * parts);
  for (std::int64_t i = 0; i < size; ++i)
    ++counts[static_cast<std::size_t>(i * parts / size * parts + permutation(i) * parts / size)];
  EXPECT_LT(chi_square(counts, static_cast<double>(size) / (parts * parts)), 63 * 63 + 5 * 89);
}

/// Neighbours are not sent to neighbours: the distances are those of random pairs (mean size / 3).
TEST(Permutation, SeparatesNeighbours) {
  constexpr std::int64_t size = 100'000;
  const auto numbers = all_places(size, 5);
  double sum = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i)
    sum += static_cast<double>(std::abs(numbers[i] - numbers[i - 1]));
  EXPECT_NEAR(sum / static_cast<double>(size * size), 1.0 / 3, 0.01);
}

}  // namespace
}  // namespace tfm

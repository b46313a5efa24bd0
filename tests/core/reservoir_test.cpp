#include "tfm/core/reservoir.h"

#include <gtest/gtest.h>

#include <vector>

namespace tfm {
namespace {

std::vector<int> sample(std::size_t size, int items) {
  Reservoir reservoir(size);
  std::vector<int> chosen;
  for (int item = 0; item < items; ++item) {
    const auto place = reservoir.next();
    if (place == chosen.size())
      chosen.push_back(item);
    else if (place)
      chosen.at(*place) = item;
  }
  return chosen;
}

TEST(Reservoir, TakesAllItemsIfTheyAreFew) {
  EXPECT_EQ(sample(3, 2), (std::vector{0, 1}));
  EXPECT_EQ(sample(3, 3), (std::vector{0, 1, 2}));
  EXPECT_TRUE(sample(0, 5).empty());
}

/// Pearson's statistic over 100 classes of 1,000 items, of which 10,000 of 100,000 are chosen. With
/// 99 degrees of freedom, it exceeds 149 once in a thousand times.
TEST(Reservoir, ChoosesUniformly) {
  std::vector<double> counts(100);
  for (const int item : sample(10'000, 100'000)) ++counts[static_cast<std::size_t>(item / 1000)];
  double statistic = 0;
  for (const double count : counts) statistic += (count - 100) * (count - 100) / 100;
  EXPECT_LT(statistic, 149);
}

}  // namespace
}  // namespace tfm

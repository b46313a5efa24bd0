#include "tfm/training/eta.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tfm {
namespace {

TEST(Eta, UsesTheSpeedOfTheCurrentSession) {
  // Earlier sessions took 5,000 seconds for 1,000 steps. This session makes ten steps per second.
  const TrainingProgress begin{.seconds = 5000, .steps = 1000, .epochs = 10};
  EXPECT_DOUBLE_EQ(eta_seconds(begin, {.seconds = 5010, .steps = 1100, .epochs = 11},
                               {.seconds = 0, .steps = 2000, .epochs = 0}),
                   90);
}

TEST(Eta, IsTheTimeUntilTheNearestLimit) {
  const TrainingProgress now{.seconds = 100, .steps = 1000, .epochs = 10};
  EXPECT_DOUBLE_EQ(eta_seconds({}, now, {.seconds = 160, .steps = 2000, .epochs = 100}), 60);
  EXPECT_DOUBLE_EQ(eta_seconds({}, now, {.seconds = 0, .steps = 2000, .epochs = 12}), 20);
  EXPECT_DOUBLE_EQ(eta_seconds({}, now, {.seconds = 50, .steps = 0, .epochs = 0}), 0)
      << "the limit has passed already";
}

TEST(Eta, IsInfiniteWithoutALimitOrProgress) {
  EXPECT_TRUE(std::isinf(eta_seconds({}, {.seconds = 1, .steps = 1, .epochs = 1}, {})));
  EXPECT_TRUE(std::isinf(eta_seconds({.seconds = 9, .steps = 5, .epochs = 1},
                                     {.seconds = 9, .steps = 5, .epochs = 1},
                                     {.seconds = 0, .steps = 10, .epochs = 0})));
}

}  // namespace
}  // namespace tfm

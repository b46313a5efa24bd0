#include "tfm/tensor/random_state.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

namespace tfm {
namespace {

double draw() { return torch::rand({1}, torch::kFloat64).item<double>(); }

TEST(RandomState, RestoreMakesTheGeneratorRepeatItsNumbers) {
  torch::manual_seed(7);
  draw();
  const auto state = RandomState::now(torch::kCPU);
  const double first = draw();
  EXPECT_NE(draw(), first);
  state.restore();
  EXPECT_EQ(draw(), first);
}

TEST(RandomStateGuard, SwitchesToAnotherStateAndRestoresThePreviousState) {
  torch::manual_seed(7);
  const auto begin = RandomState::now(torch::kCPU);
  const double first = draw();
  const double second = draw();
  torch::manual_seed(7);
  draw();
  {
    const RandomStateGuard again(begin, torch::kCPU);
    EXPECT_EQ(draw(), first);
  }
  {
    const RandomStateGuard unchanged(torch::kCPU);
    EXPECT_EQ(draw(), second);
  }
  EXPECT_EQ(draw(), second);
}

}  // namespace
}  // namespace tfm

#include "tfm/losses/cross_entropy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nn/golden.h"

namespace tfm {
namespace {

TEST(CrossEntropySums, EqualsTheFormulaComputedByHand) {
  // With V = 3, the first two tokens have the probabilities 0.7/0.2/0.1 and 0.25/0.25/0.5. The
  // third token is padding.
  const auto logits =
      torch::tensor({0.7, 0.2, 0.1, 0.25, 0.25, 0.5, 0.1, 0.8, 0.1}).log().view({1, 3, 3});
  const auto targets = torch::tensor({1, 2, 0}, torch::kInt64).view({1, 3});
  const auto sums = cross_entropy_sums(logits, targets, 0, 0.1);
  const double plain = -std::log(0.2) - std::log(0.5);
  const double uniform = -(std::log(0.7 * 0.2 * 0.1) + std::log(0.25 * 0.25 * 0.5)) / 3;
  EXPECT_NEAR(sums.plain.item<double>(), plain, 1e-5);
  EXPECT_NEAR(sums.smoothed.item<double>(), 0.9 * plain + 0.1 * uniform, 1e-5);
}

TEST(CrossEntropySums, GivesPaddingNoGradient) {
  auto logits = torch::randn({2, 3, 5}, torch::requires_grad());
  const auto targets = torch::tensor({1, 2, 0, 3, 0, 0}, torch::kInt64).view({2, 3});
  cross_entropy_sums(logits, targets, 0, 0.1).smoothed.backward();
  const auto norms = logits.grad().abs().sum(-1);
  EXPECT_EQ((norms * targets.eq(0)).max().item<double>(), 0);
  EXPECT_GT((norms + targets.eq(0)).min().item<double>(), 0);
}

class PyTorchParity : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Loss, PyTorchParity, testing::ValuesIn(golden_names()),
                         [](const auto& info) { return info.param; });

TEST_P(PyTorchParity, LossAndGradientsMatchPyTorch) {
  auto golden = load_golden(GetParam());
  const auto& tensors = golden.tensors;
  const auto& targets = tensors.at("target_output");
  const auto logits = golden.model(tensors.at("source"), tensors.at("target_input"));
  const auto loss = cross_entropy_sums(logits, targets, 0, 0.1).smoothed / targets.ne(0).sum();
  loss.backward();
  EXPECT_NEAR(loss.item<double>(), tensors.at("losses")[0].item<double>(), 1e-5);
  for (const auto& item : golden.model->named_parameters()) {
    EXPECT_LT(
        (item.value().grad() - tensors.at("gradients/" + item.key())).abs().max().item<double>(),
        1e-5)
        << item.key();
  }
}

}  // namespace
}  // namespace tfm

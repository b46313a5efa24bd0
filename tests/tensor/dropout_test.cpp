#include "tfm/tensor/dropout.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>

namespace tfm {
namespace {

TEST(StatelessDropout, ZeroesElementsWithProbabilityPAndScalesTheOthers) {
  torch::manual_seed(1);
  for (const double p : {0.1, 0.3, 0.9}) {
    const auto y = stateless_dropout(torch::ones({1000, 1000}), p, true);
    const double deviation = std::sqrt(p * (1 - p) / 1e6);
    EXPECT_NEAR(y.eq(0).to(torch::kFloat64).mean().item<double>(), p, 5 * deviation);
    EXPECT_NEAR(y.max().item<double>(), 1 / (1 - p), 1e-4);
  }
}

TEST(StatelessDropout, DropsElementsIndependentlyAcrossColumnsRowsAndCalls) {
  torch::manual_seed(1);
  const auto kept = [] {
    return stateless_dropout(torch::ones({1000, 1024}), 0.5, true).ne(0).to(torch::kFloat64) - 0.5;
  };
  const auto a = kept();
  const auto b = kept();
  // five standard deviations of the mean of a million products
  const double bound = 5 * 0.25 / std::sqrt(1e6);
  EXPECT_LT(std::abs((a * b).mean().item<double>()), bound);
  for (const int64_t lag : {1, 2, 16, 64})
    EXPECT_LT(std::abs((a.slice(1, lag) * a.slice(1, 0, 1024 - lag)).mean().item<double>()), bound)
        << lag;
  EXPECT_LT(std::abs((a.slice(0, 1) * a.slice(0, 0, 999)).mean().item<double>()), bound);
}

TEST(StatelessDropout, BackwardDropsTheSameElementsAsForward) {
  auto x = torch::randn({300, 500}).set_requires_grad(true);
  const auto y = stateless_dropout(x, 0.4, true);
  y.sum().backward();
  EXPECT_TRUE((x.grad() * x.detach()).allclose(y.detach()));
}

TEST(StatelessDropout, AppliesTheReferenceMask) {
  constexpr double p = 0.3;
  torch::manual_seed(8);
  const auto y = stateless_dropout(torch::ones({70000}), p, true);
  torch::manual_seed(8);
  const auto key =
      torch::randint(std::numeric_limits<int64_t>::max(), {1}, torch::kInt64).item<int64_t>();
  EXPECT_TRUE(y.equal(reference_dropout_mask(70000, p, static_cast<uint64_t>(key))));
}

TEST(StatelessDropout, DropsTheSameElementsWithTheSameGeneratorState) {
  const auto x = torch::randn({64, 64});
  torch::manual_seed(3);
  const auto first = stateless_dropout(x, 0.5, true);
  EXPECT_FALSE(stateless_dropout(x, 0.5, true).equal(first));
  torch::manual_seed(3);
  EXPECT_TRUE(stateless_dropout(x, 0.5, true).equal(first));
}

TEST(StatelessDropout, ReturnsItsInputOutsideTrainingOrIfPIsZero) {
  const auto x = torch::randn({3});
  EXPECT_TRUE(stateless_dropout(x, 0.5, false).is_same(x));
  EXPECT_TRUE(stateless_dropout(x, 0, true).is_same(x));
}

TEST(StatelessDropout, AcceptsNonContiguousTensors) {
  torch::manual_seed(2);
  const auto x = torch::randn({40, 30}).t();
  const auto y = stateless_dropout(x, 0.5, true);
  EXPECT_EQ(y.sizes(), x.sizes());
  EXPECT_TRUE(y.eq(0).logical_or(y.isclose(2 * x)).all().item<bool>());
}

TEST(DropoutAdd, EqualsDropoutThenAdditionForwardAndBackward) {
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    auto x = torch::randn({30, 50}).set_requires_grad(true);
    auto y = torch::randn({30, 50}).to(type).set_requires_grad(true);
    torch::manual_seed(6);
    const auto expected = x + stateless_dropout(y, 0.3, true);
    expected.pow(2).sum().backward();
    const auto x_gradient = x.grad().clone();
    const auto y_gradient = y.grad().clone();
    x.mutable_grad().reset();
    y.mutable_grad().reset();
    torch::manual_seed(6);
    const auto sum = dropout_add(x, y, 0.3, true);
    sum.pow(2).sum().backward();
    // The reference rounds the result of dropout to bf16 before the addition.
    const double tolerance = type == torch::kFloat32 ? 1e-6 : 0.02;
    EXPECT_EQ(sum.scalar_type(), torch::kFloat32);
    EXPECT_TRUE(sum.allclose(expected, tolerance, tolerance));
    EXPECT_TRUE(x.grad().allclose(x_gradient, tolerance, tolerance));
    EXPECT_EQ(y.grad().scalar_type(), type);
    EXPECT_TRUE(y.grad()
                    .to(torch::kFloat32)
                    .allclose(y_gradient.to(torch::kFloat32), tolerance, tolerance));
  }
}

TEST(DropoutAdd, AddsWithoutDroppingOutsideTraining) {
  const auto x = torch::randn({4, 5});
  EXPECT_TRUE(dropout_add(x, x, 0.5, false).equal(x + x));
}

TEST(StatelessDropout, DropsTheSameElementsInBf16AsInFp32) {
  const auto x = torch::ones({5000});
  torch::manual_seed(4);
  const auto wide = stateless_dropout(x, 0.25, true);
  torch::manual_seed(4);
  const auto narrow = stateless_dropout(x.to(torch::kBFloat16), 0.25, true);
  EXPECT_EQ(narrow.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(narrow.equal(wide.to(torch::kBFloat16))) << "the kernel must round like LibTorch";
}

}  // namespace
}  // namespace tfm

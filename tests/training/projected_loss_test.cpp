#include "tfm/training/projected_loss.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

namespace tfm {
namespace {

struct Problem {
  torch::Tensor hidden;
  Projection projection;
  torch::Tensor targets;
};

Problem problem(int64_t tokens, int64_t vocab, bool bias) {
  torch::manual_seed(4);
  const auto leaf = [](torch::Tensor t) { return t.set_requires_grad(true); };
  Problem p{leaf(torch::randn({tokens, 6})), {leaf(torch::randn({vocab, 6})), bias ? leaf(torch::randn({vocab})) : torch::Tensor()}, {}};
  p.targets = torch::randint(0, vocab, {tokens}, torch::kInt64);
  p.targets[0] = 0;  // padding, wherever it stands
  return p;
}

void expect_equal_to_reference(const Problem& p, double smoothing) {
  const auto logits = torch::linear(p.hidden, p.projection.weight, p.projection.bias);
  const auto expected = cross_entropy_sums(logits.unsqueeze(0), p.targets.unsqueeze(0), 0, smoothing);
  (expected.smoothed * 0.5).backward();
  std::vector<torch::Tensor> leaves{p.hidden, p.projection.weight};
  if (p.projection.bias.defined()) leaves.push_back(p.projection.bias);
  std::vector<torch::Tensor> gradients;
  for (auto& leaf : leaves) {
    gradients.push_back(leaf.grad().clone());
    leaf.mutable_grad().reset();
  }
  const auto sums = projected_cross_entropy(p.hidden, p.projection, p.targets, 0, smoothing);
  (sums.smoothed * 0.5).backward();
  EXPECT_NEAR(sums.smoothed.item<double>(), expected.smoothed.item<double>(), 1e-4 * std::abs(expected.smoothed.item<double>()) + 1e-6);
  EXPECT_NEAR(sums.plain.item<double>(), expected.plain.item<double>(), 1e-4 * std::abs(expected.plain.item<double>()) + 1e-6);
  for (std::size_t i = 0; i < leaves.size(); ++i) EXPECT_LT((leaves[i].grad() - gradients[i]).abs().max().item<double>(), 1e-4) << i;
}

TEST(ProjectedCrossEntropy, EqualsProjectingAndThenTheLoss) {
  for (const bool bias : {false, true}) {
    for (const double smoothing : {0.0, 0.1}) expect_equal_to_reference(problem(50, 17, bias), smoothing);
  }
}

TEST(ProjectedCrossEntropy, EqualsItAcrossChunks) { expect_equal_to_reference(problem(150, 70000, true), 0.1); }  // chunks of 64 tokens

TEST(ProjectedCrossEntropy, GivesNothingForNothingButPadding) {
  auto p = problem(3, 5, false);
  p.targets.zero_();
  const auto sums = projected_cross_entropy(p.hidden, p.projection, p.targets, 0, 0.1);
  sums.smoothed.backward();
  EXPECT_EQ(sums.smoothed.item<double>(), 0);
  EXPECT_EQ(p.hidden.grad().abs().max().item<double>(), 0);
}

TEST(ProjectedCrossEntropy, GradientsAgreeWithFiniteDifferences) {
  auto p = problem(8, 5, true);
  const auto loss = [&] { return projected_cross_entropy(p.hidden, p.projection, p.targets, 0, 0.1).smoothed; };
  loss().backward();
  const torch::NoGradGuard no_grad;
  for (const auto& leaf : {p.hidden, p.projection.weight, p.projection.bias}) {
    auto flat = leaf.detach().flatten();  // shares the leaf's storage
    for (int64_t i = 0; i < flat.numel(); i += 3) {
      constexpr double step = 1e-2;
      const double value = flat[i].item<double>();
      flat[i] = value + step;
      const double above = loss().item<double>();
      flat[i] = value - step;
      const double below = loss().item<double>();
      flat[i] = value;
      EXPECT_NEAR(leaf.grad().flatten()[i].item<double>(), (above - below) / (2 * step), 5e-3);
    }
  }
}

}  // namespace
}  // namespace tfm

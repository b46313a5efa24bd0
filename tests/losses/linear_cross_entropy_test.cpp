#include "tfm/losses/linear_cross_entropy.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "tfm/losses/cross_entropy_gradient.h"
#include "tfm/tensor/autocast.h"

namespace tfm {
namespace {

struct Problem {
  torch::Tensor hidden;
  OutputProjection projection;
  torch::Tensor targets;
};

Targets targets_of(const Problem& p) {
  return {p.targets, 0, p.targets.ne(0).sum().item<int64_t>()};
}

Problem problem(int64_t tokens, int64_t vocab, bool bias) {
  torch::manual_seed(4);
  const auto leaf = [](torch::Tensor t) { return t.set_requires_grad(true); };
  Problem p{leaf(torch::randn({tokens, 6})),
            {leaf(torch::randn({vocab, 6})), bias ? leaf(torch::randn({vocab})) : torch::Tensor()},
            {}};
  p.targets = torch::randint(0, vocab, {tokens}, torch::kInt64);
  p.targets[0] = 0;  // padding may be at any position
  return p;
}

void expect_equal_to_reference(const Problem& p, double smoothing) {
  const auto logits = torch::linear(p.hidden, p.projection.weight, p.projection.bias);
  const auto expected =
      cross_entropy_sums(logits.unsqueeze(0), p.targets.unsqueeze(0), 0, smoothing);
  (expected.smoothed * 0.5).backward();
  std::vector<torch::Tensor> leaves{p.hidden, p.projection.weight};
  if (p.projection.bias.defined()) leaves.push_back(p.projection.bias);
  std::vector<torch::Tensor> gradients;
  for (auto& leaf : leaves) {
    gradients.push_back(leaf.grad().clone());
    leaf.mutable_grad().reset();
  }
  const auto sums = linear_cross_entropy(p.hidden, p.projection, targets_of(p), smoothing);
  (sums.smoothed * 0.5).backward();
  EXPECT_NEAR(sums.smoothed.item<double>(), expected.smoothed.item<double>(),
              1e-4 * std::abs(expected.smoothed.item<double>()) + 1e-6);
  EXPECT_NEAR(sums.plain.item<double>(), expected.plain.item<double>(),
              1e-4 * std::abs(expected.plain.item<double>()) + 1e-6);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    EXPECT_LT((leaves[i].grad() - gradients[i]).abs().max().item<double>(), 1e-4) << i;
}

TEST(LinearCrossEntropy, EqualsProjectionFollowedByTheLoss) {
  for (const bool bias : {false, true}) {
    for (const double smoothing : {0.0, 0.1})
      expect_equal_to_reference(problem(50, 17, bias), smoothing);
  }
}

// 150 targets take two chunks, because a chunk has 128 tokens if the vocabulary has 70,000 tokens.
TEST(LinearCrossEntropy, EqualsTheReferenceAcrossChunks) {
  expect_equal_to_reference(problem(150, 70000, true), 0.1);
}

TEST(LinearCrossEntropy, EqualsTheReferenceWithoutTheKernel) {  // fp64 has no kernel
  auto p = problem(50, 17, true);
  for (auto* leaf : {&p.hidden, &p.projection.weight, &p.projection.bias})
    *leaf = leaf->detach().to(torch::kFloat64).set_requires_grad(true);
  expect_equal_to_reference(p, 0.1);
}

/// Returns the sum of each target's loss times its weight, by the plain loss of one target at a
/// time.
torch::Tensor weighted_reference(const Problem& p, const torch::Tensor& weights, double smoothing) {
  const auto logits = torch::linear(p.hidden, p.projection.weight, p.projection.bias);
  torch::Tensor sum = torch::zeros({});
  for (int64_t i = 0; i < p.targets.size(0); ++i) {
    const auto one = cross_entropy_sums(logits.slice(0, i, i + 1).unsqueeze(0),
                                        p.targets.slice(0, i, i + 1).unsqueeze(0), 0, smoothing);
    sum = sum + weights[i] * one.smoothed;
  }
  return sum;
}

void expect_weighted(const Problem& p, double tolerance) {
  const auto weights = torch::rand({p.targets.size(0)}) * 2;
  const auto expected = weighted_reference(p, weights, 0.1);
  expected.backward();
  const auto hidden = p.hidden.grad().clone();
  const auto weight = p.projection.weight.grad().clone();
  for (auto leaf : {p.hidden, p.projection.weight}) leaf.mutable_grad().reset();
  auto targets = targets_of(p);
  targets.weights = weights;
  const auto sums = linear_cross_entropy(p.hidden, p.projection, targets, 0.1);
  sums.smoothed.backward();
  EXPECT_NEAR(sums.smoothed.item<double>() / expected.item<double>(), 1, tolerance);
  EXPECT_LT((p.hidden.grad() - hidden).abs().max().item<double>(), tolerance);
  EXPECT_LT((p.projection.weight.grad() - weight).abs().max().item<double>(), tolerance);
}

TEST(LinearCrossEntropy, MultipliesEachLossByItsWeight) {
  expect_weighted(problem(50, 17, true), 1e-5);
  auto p = problem(50, 17, true);  // fp64 has no kernel
  for (auto* leaf : {&p.hidden, &p.projection.weight, &p.projection.bias})
    *leaf = leaf->detach().to(torch::kFloat64).set_requires_grad(true);
  expect_weighted(p, 1e-5);
}

TEST(LinearCrossEntropy, ReturnsZeroForOnlyPadding) {
  auto p = problem(3, 5, false);
  p.targets.zero_();
  const auto sums = linear_cross_entropy(p.hidden, p.projection, targets_of(p), 0.1);
  sums.smoothed.backward();
  EXPECT_EQ(sums.smoothed.item<double>(), 0);
  EXPECT_EQ(p.hidden.grad().abs().max().item<double>(), 0);
}

TEST(LinearCrossEntropy, GradientsAgreeWithFiniteDifferences) {
  auto p = problem(8, 5, true);
  const auto loss = [&] {
    return linear_cross_entropy(p.hidden, p.projection, targets_of(p), 0.1).smoothed;
  };
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

TEST(LinearCrossEntropy, MatchesFp32InBf16) {
  auto p = problem(400, 1003, true);  // 1003 is not a multiple of max_lanes
  const auto gradients = [&](bool bf16) {
    auto projection = p.projection;
    if (bf16) {
      projection.cast_weight = projection.weight.detach().to(torch::kBFloat16);
      projection.cast_bias = projection.bias.detach().to(torch::kBFloat16);
    }
    const auto sums = linear_cross_entropy(p.hidden, projection, targets_of(p), 0.1);
    sums.smoothed.backward();
    std::vector<torch::Tensor> all{sums.smoothed.detach(), sums.plain.detach()};
    for (auto leaf : {p.hidden, p.projection.weight, p.projection.bias}) {
      all.push_back(leaf.grad().clone());
      leaf.mutable_grad().reset();
    }
    return all;
  };
  const auto expected = gradients(false);
  const auto found = gradients(true);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found[i].scalar_type(), torch::kFloat32);
    EXPECT_LT(((found[i] - expected[i]).norm() / expected[i].norm()).item<double>(), 0.01) << i;
  }
}

TEST(LinearCrossEntropy, StaysAccurateForConfidentModelsAndLargeLogits) {
  auto p = problem(64, 3000, false);
  torch::NoGradGuard no_grad;
  p.hidden.mul_(30);  // most probabilities are far below the smallest normal number
  const torch::AutoGradMode with_gradients(true);
  expect_equal_to_reference(p, 0.0);
}

TEST(CrossEntropyBackward, EqualsLibTorchForEveryWidth) {
  torch::manual_seed(2);
  for (const int64_t width : {1, 2, 15, 16, 17, 1000}) {
    auto logits = torch::randn({5, width}) * 4;
    const auto targets = torch::randint(0, width, {5}, torch::kInt64);
    const auto log_probs = torch::log_softmax(logits, -1);
    const auto one_hot = torch::one_hot(targets, width).to(torch::kFloat32);
    const auto expected = log_probs.exp() - 0.8 * one_hot - 0.2 / static_cast<double>(width);
    auto plain = torch::empty({5});
    auto uniform = torch::empty({5});
    cross_entropy_backward_(logits, targets, 0.2, plain, uniform);
    EXPECT_TRUE(logits.allclose(expected, 1e-5, 1e-6)) << width;
    EXPECT_TRUE(plain.allclose(-(log_probs * one_hot).sum(-1), 1e-5, 1e-5)) << width;
    EXPECT_TRUE(uniform.allclose(-log_probs.mean(-1), 1e-5, 1e-5)) << width;
  }
}

}  // namespace
}  // namespace tfm

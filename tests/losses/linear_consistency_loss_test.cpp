#include "tfm/losses/linear_consistency_loss.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "tfm/tensor/autocast.h"

namespace tfm {
namespace {

const ConsistencyLoss r_drop{
    .label_smoothing = 0.1, .first = 0.5, .second = 0.5, .forward = 1.25, .backward = 1.25};
const ConsistencyLoss simcut{
    .label_smoothing = 0.1, .first = 1, .second = 0, .forward = 3, .backward = 0};
const ConsistencyLoss uneven{
    .label_smoothing = 0, .first = 0.3, .second = 0.7, .forward = 0.4, .backward = 2};

struct Problem {
  torch::Tensor hidden;  // [2N, D]
  OutputProjection projection;
  torch::Tensor targets;  // [N]

  std::vector<torch::Tensor> leaves() const {
    return projection.bias.defined() ? std::vector{hidden, projection.weight, projection.bias}
                                     : std::vector{hidden, projection.weight};
  }
};

Targets targets_of(const Problem& p) {
  return {p.targets, 0, p.targets.ne(0).sum().item<int64_t>()};
}

Problem problem(int64_t tokens, int64_t vocab, bool bias,
                torch::ScalarType type = torch::kFloat32) {
  torch::manual_seed(4);
  const auto leaf = [&](const torch::Tensor& t) { return t.to(type).set_requires_grad(true); };
  Problem p{leaf(torch::randn({2 * tokens, 6})),
            {leaf(torch::randn({vocab, 6})), bias ? leaf(torch::randn({vocab})) : torch::Tensor()},
            {}};
  p.targets = torch::randint(1, vocab, {tokens}, torch::kInt64);
  p.targets[0] = 0;  // padding may be at any position
  p.targets[tokens / 2] = 0;
  return p;
}

std::vector<torch::Tensor> take_gradients(const Problem& p) {
  std::vector<torch::Tensor> gradients;
  for (auto leaf : p.leaves()) {
    gradients.push_back(leaf.grad().clone());
    leaf.mutable_grad().reset();
  }
  return gradients;
}

LossSums reference(const Problem& p, const ConsistencyLoss& loss) {
  const auto logits = torch::linear(p.hidden, p.projection.weight, p.projection.bias);
  const auto halves = logits.chunk(2);
  return consistency_loss_sums(halves[0].unsqueeze(0), halves[1].unsqueeze(0),
                               p.targets.unsqueeze(0), 0, loss);
}

LossSums projected(const Problem& p, const ConsistencyLoss& loss) {
  return linear_consistency_loss(p.hidden, p.projection, targets_of(p), loss);
}

void expect_equal_to_reference(const Problem& p, const ConsistencyLoss& loss) {
  const auto expected = reference(p, loss);
  (expected.smoothed * 0.5).backward();
  const auto gradients = take_gradients(p);
  const auto sums = projected(p, loss);
  (sums.smoothed * 0.5).backward();
  EXPECT_NEAR(sums.smoothed.item<double>(), expected.smoothed.item<double>(),
              1e-5 * std::abs(expected.smoothed.item<double>()));
  EXPECT_NEAR(sums.plain.item<double>(), expected.plain.item<double>(),
              1e-5 * std::abs(expected.plain.item<double>()));
  const auto found = take_gradients(p);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_LT(((found[i] - gradients[i]).norm() / gradients[i].norm()).item<double>(), 1e-5) << i;
  }
}

TEST(ConsistencyLossSums, EqualsTheCrossEntropyIfBothPredictionsAgree) {
  const auto p = problem(20, 9, true);
  const auto logits =
      torch::linear(p.hidden.slice(0, 0, 20), p.projection.weight, p.projection.bias).unsqueeze(0);
  const auto once =
      cross_entropy_sums(logits, p.targets.unsqueeze(0), 0, 0.1).smoothed.item<double>();
  for (const auto& loss : {r_drop, simcut}) {
    EXPECT_NEAR(consistency_loss_sums(logits, logits, p.targets.unsqueeze(0), 0, loss)
                    .smoothed.item<double>(),
                once, 1e-4);
  }
}

/// The losses are computed by hand for p = (3/4, 1/4) and q = (1/2, 1/2). The target is token 0,
/// which is not padding here.
TEST(ConsistencyLossSums, EqualsTheDefinitionComputedByHand) {
  const auto p = torch::tensor({3.0, 1.0}).log().view({1, 1, 2});
  const auto q = torch::tensor({1.0, 1.0}).log().view({1, 1, 2});
  const auto target = torch::zeros({1, 1}, torch::kInt64);
  const double forward = 0.75 * std::log(1.5) + 0.25 * std::log(0.5);
  const double backward = 0.5 * std::log(2.0 / 3) + 0.5 * std::log(2.0);
  const auto loss = [&](const ConsistencyLoss& weights) {
    return consistency_loss_sums(p, q, target, -100, weights).smoothed.item<double>();
  };
  EXPECT_NEAR(loss({.first = 1, .forward = 3}), -std::log(0.75) + 3 * forward, 1e-6);
  EXPECT_NEAR(loss({.first = 0.5, .second = 0.5, .forward = 1, .backward = 2}),
              -0.5 * std::log(0.75 * 0.5) + forward + 2 * backward, 1e-6);
}

TEST(LinearConsistencyLoss, EqualsProjectionFollowedByTheLoss) {
  for (const bool bias : {false, true}) {
    for (const auto& loss : {r_drop, simcut, uneven})
      expect_equal_to_reference(problem(50, 17, bias), loss);
  }
}

// 150 targets take three chunks, because a chunk has 64 pairs if the vocabulary has 70,000 tokens.
TEST(LinearConsistencyLoss, EqualsTheReferenceAcrossChunks) {
  expect_equal_to_reference(problem(150, 70000, true), r_drop);
}

TEST(LinearConsistencyLoss, EqualsTheReferenceWithoutTheKernel) {  // fp64 has no kernel
  for (const auto& loss : {r_drop, simcut, uneven})
    expect_equal_to_reference(problem(50, 17, true, torch::kFloat64), loss);
}

/// Returns the problem of one target of another.
Problem one_of(const Problem& p, int64_t i) {
  const auto n = p.targets.size(0);
  return {torch::stack({p.hidden[i], p.hidden[n + i]}), p.projection, p.targets.slice(0, i, i + 1)};
}

TEST(LinearConsistencyLoss, MultipliesEachLossByItsWeight) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const auto p = problem(30, 9, true, type);
    const auto weights = torch::rand({30}) * 2;
    torch::Tensor expected = torch::zeros({});
    for (int64_t i = 0; i < 30; ++i)
      expected = expected + weights[i] * reference(one_of(p, i), uneven).smoothed;
    expected.backward();
    const auto gradients = take_gradients(p);
    auto targets = targets_of(p);
    targets.weights = weights;
    const auto sums = linear_consistency_loss(p.hidden, p.projection, targets, uneven);
    sums.smoothed.backward();
    EXPECT_NEAR(sums.smoothed.item<double>() / expected.item<double>(), 1, 1e-5);
    const auto found = take_gradients(p);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_LT(((found[i] - gradients[i]).norm() / gradients[i].norm()).item<double>(), 1e-5) << i;
  }
}

TEST(LinearConsistencyLoss, ReturnsZeroForOnlyPadding) {
  auto p = problem(3, 5, false);
  p.targets.zero_();
  const auto sums = projected(p, r_drop);
  sums.smoothed.backward();
  EXPECT_EQ(sums.smoothed.item<double>(), 0);
  EXPECT_EQ(p.hidden.grad().abs().max().item<double>(), 0);
}

TEST(LinearConsistencyLoss, GradientsAgreeWithFiniteDifferences) {
  for (const auto& loss : {r_drop, simcut, uneven}) {
    const auto p = problem(5, 7, true, torch::kFloat64);
    projected(p, loss).smoothed.backward();
    const torch::NoGradGuard no_grad;
    for (const auto& leaf : p.leaves()) {
      auto flat = leaf.detach().flatten();  // shares the leaf's storage
      for (int64_t i = 0; i < flat.numel(); ++i) {
        constexpr double step = 1e-5;
        const double value = flat[i].item<double>();
        flat[i] = value + step;
        const double above = projected(p, loss).smoothed.item<double>();
        flat[i] = value - step;
        const double below = projected(p, loss).smoothed.item<double>();
        flat[i] = value;
        EXPECT_NEAR(leaf.grad().flatten()[i].item<double>(), (above - below) / (2 * step), 1e-6);
      }
    }
  }
}

TEST(LinearConsistencyLoss, MatchesFp32InBf16) {
  const auto wide = problem(400, 1003, true);  // 1003 is not a multiple of max_lanes
  const auto gradients = [&](bool bf16) {
    auto p = wide;
    if (bf16) {
      p.projection.cast_weight = p.projection.weight.detach().to(torch::kBFloat16);
      p.projection.cast_bias = p.projection.bias.detach().to(torch::kBFloat16);
    }
    const auto sums = projected(p, r_drop);
    sums.smoothed.backward();
    auto all = take_gradients(p);
    all.push_back(sums.smoothed.detach());
    return all;
  };
  const auto expected = gradients(false);
  const auto found = gradients(true);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found[i].scalar_type(), torch::kFloat32);
    EXPECT_LT(((found[i] - expected[i]).norm() / expected[i].norm()).item<double>(), 0.02) << i;
  }
}

TEST(LinearConsistencyLoss, StaysAccurateForConfidentModelsAndLargeLogits) {
  const auto p = problem(64, 3000, false);
  {
    const torch::NoGradGuard no_grad;
    p.hidden.mul_(30);  // most probabilities are far below the smallest normal number
  }
  expect_equal_to_reference(p, uneven);
}

}  // namespace
}  // namespace tfm

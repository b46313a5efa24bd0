#include "tfm/tensor/linear.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "tfm/tensor/autocast.h"

namespace tfm {
namespace {

struct Gradients {
  torch::Tensor output;
  torch::Tensor x;
  torch::Tensor weight;
  torch::Tensor bias;
};

/// The parameters of a forward pass.
struct Parameters {
  LinearParts parts;
  torch::Tensor weight;  // [30, 24]
  torch::Tensor bias;    // [30], or undefined
};

/// Draws x [3, 7, 24] and the parameters, and calls forward(context, x, parameters). Returns its
/// output, and the gradients of the sum of loss(output).
template <class Forward, class Loss>
Gradients run_forward(bool bf16, bool with_bias, const Forward& forward, const Loss& loss) {
  torch::manual_seed(5);
  auto x = torch::randn({3, 7, 24}).set_requires_grad(true);
  Parameters parameters;
  parameters.weight = torch::randn({30, 24}).set_requires_grad(true);
  if (with_bias) parameters.bias = torch::randn({30}).set_requires_grad(true);
  WeightCasts casts;
  const ForwardContext context{.casts = bf16 ? &casts : nullptr};
  const auto output = forward(context, x, parameters);
  loss(output).sum().backward();
  return {output.detach(), x.grad(), parameters.weight.grad(),
          with_bias ? parameters.bias.grad() : torch::zeros({1})};
}

Gradients run(bool bf16, bool with_bias, int64_t begin = 0, int64_t end = 0) {
  return run_forward(
      bf16, with_bias,
      [&](const auto& context, const auto& x, Parameters& p) {
        return linear(context, x, p.parts.add(p.weight, p.bias, begin, end));
      },
      [](const torch::Tensor& output) { return output.pow(2); });
}

void expect_equal(const Gradients& a, const Gradients& b) {
  EXPECT_TRUE(a.output.equal(b.output));
  EXPECT_TRUE(a.x.equal(b.x));
  EXPECT_TRUE(a.weight.equal(b.weight));
  EXPECT_TRUE(a.bias.equal(b.bias));
}

double relative_error(const torch::Tensor& found, const torch::Tensor& expected) {
  return ((found.to(torch::kFloat32) - expected).norm() / expected.norm().clamp_min(1e-30))
      .item<double>();
}

// bf16 has 8 significant bits, so one rounding has a relative error of at most 2^-8. Random errors
// partly cancel out, so the error of a sum stays within a few times that bound.
TEST(Linear, Bf16MatchesFp32ForwardAndBackward) {
  for (const bool bias : {false, true}) {
    const auto expected = run(false, bias);
    const auto found = run(true, bias);
    EXPECT_EQ(found.output.scalar_type(), torch::kBFloat16);
    EXPECT_EQ(found.weight.scalar_type(), torch::kFloat32) << "gradients of weights must stay fp32";
    EXPECT_EQ(found.x.scalar_type(), torch::kFloat32);
    EXPECT_LT(relative_error(found.output, expected.output), 0.01);
    EXPECT_GT(relative_error(found.output, expected.output), 1e-5) << "not computed in bf16";
    EXPECT_LT(relative_error(found.x, expected.x), 0.015);
    EXPECT_LT(relative_error(found.weight, expected.weight), 0.015);
    // Without a bias, both tensors are zero.
    EXPECT_LE(relative_error(found.bias, expected.bias), 0.015);
  }
}

TEST(LinearRelu, EqualsReluOfLinearWithItsGradientsInFp32AndBf16) {
  for (const bool bf16 : {false, true}) {
    for (const bool with_bias : {false, true}) {
      SCOPED_TRACE(testing::Message() << bf16 << with_bias);
      const auto run_with = [&](bool fused) {
        return run_forward(
            bf16, with_bias,
            [&](const auto& context, const auto& x, Parameters& p) {
              const auto part = p.parts.add(p.weight, p.bias);
              return fused ? linear_relu(context, x, part) : linear(context, x, part).relu();
            },
            // The gradient is not 0 where ReLU is.
            [](const torch::Tensor& y) { return (y.to(torch::kFloat32) + 1).pow(2); });
      };
      const auto found = run_with(true);
      EXPECT_GT(found.output.eq(0).sum().item<int64_t>(), 100);
      expect_equal(found, run_with(false));
    }
  }
}

TEST(SplitParts, GivesResultsAndGradientsOfTheParts) {
  for (const bool bf16 : {false, true}) {
    for (const bool with_bias : {false, true}) {
      SCOPED_TRACE(testing::Message() << bf16 << with_bias);
      const auto run_with = [&](bool split) {
        return run_forward(
            bf16, with_bias,
            [&](const auto& context, const auto& x, Parameters& p) {
              SplitLinearParts parts{p.parts.add(p.weight, p.bias, 0, 10),
                                     p.parts.add(p.weight, p.bias, 10, 30)};
              if (split) parts = split_parts(parts.first, parts.second);
              return torch::cat(
                  {linear(context, x, parts.first).relu(), linear(context, x, parts.second).tanh()},
                  -1);
            },
            [](const torch::Tensor& y) { return y; });
      };
      expect_equal(run_with(true), run_with(false));
    }
  }
}

TEST(WeightCasts, MakesTheSameCopiesAtOnceAsOneByOne) {
  LinearParts parts;
  const auto weight = torch::randn({30, 24}).set_requires_grad(true);
  const auto bias = torch::randn({30});
  const std::vector all{parts.add(weight, bias, 0, 10), parts.add(weight, bias, 10, 30),
                        parts.add(torch::randn({4, 24}), {})};
  for (const auto type : {torch::kBFloat16, torch::kFloat16}) {
    WeightCasts at_once(type);
    at_once.cast_all(parts.all());
    WeightCasts one_by_one(type);
    for (const auto& part : all) {
      const auto& found = at_once.cast(part);
      const auto& expected = one_by_one.cast(part);
      EXPECT_EQ(found.weight.scalar_type(), type);
      EXPECT_FALSE(found.weight.requires_grad());
      EXPECT_TRUE(found.weight.equal(expected.weight));
      EXPECT_EQ(found.bias.defined(), expected.bias.defined());
      if (expected.bias.defined()) {
        EXPECT_TRUE(found.bias.equal(expected.bias));
      }
    }
  }
}

TEST(Linear, MultipliesByASliceOfAWeight) {
  const auto expected = run(false, true, 10, 20);
  const auto found = run(true, true, 10, 20);
  EXPECT_EQ(found.output.size(-1), 10);
  EXPECT_LT(relative_error(found.output, expected.output), 0.01);
  EXPECT_LT(relative_error(found.weight, expected.weight), 0.015);
  EXPECT_EQ(found.weight.slice(0, 0, 10).abs().max().item<float>(), 0)
      << "other rows must have no gradient";
}

TEST(LinearParts, NumbersPartsInTheOrderOfAddition) {
  LinearParts parts;
  const auto weight = torch::randn({6, 4});
  EXPECT_EQ(parts.add(weight, {}).slot, 0U);
  const auto lower = parts.add(weight, torch::randn({6}), 2, 6);
  EXPECT_EQ(lower.slot, 1U);
  EXPECT_EQ(parts.all().size(), 2U);
  EXPECT_TRUE(lower.weight_rows().equal(weight.slice(0, 2, 6)));
  EXPECT_EQ(lower.bias_rows().size(0), 4);
  EXPECT_FALSE(parts.all()[0].bias_rows().defined());
}

TEST(WeightCasts, CastsEachPartOnce) {
  LinearParts parts;
  const auto weight = torch::randn({4, 4});
  const auto whole = parts.add(weight, {});
  const auto upper = parts.add(weight, torch::randn({4}), 0, 2);
  WeightCasts casts;
  const auto first = cached_cast(&casts, whole);
  EXPECT_EQ(first.weight.scalar_type(), torch::kBFloat16);
  EXPECT_FALSE(first.bias.defined());
  const auto second = cached_cast(&casts, upper);
  EXPECT_TRUE(second.weight.equal(first.weight.slice(0, 0, 2)));
  EXPECT_EQ(second.bias.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(cached_cast(&casts, whole).weight.is_same(first.weight));
  EXPECT_TRUE(cached_cast(nullptr, whole).weight.is_same(weight));
}

}  // namespace
}  // namespace tfm

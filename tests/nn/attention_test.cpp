#include "tfm/nn/attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model_fixture.h"

namespace tfm {
namespace {

TEST(ScaledDotProductAttention, IsTheFormulaByHand) {
  const auto queries = torch::tensor({1.0, 0.0}).view({1, 1, 1, 2});
  const auto keys = torch::tensor({2.0, 5.0, 0.0, 7.0}).view({1, 1, 2, 2});
  const auto values = torch::tensor({10.0, 0.0, 20.0, 4.0}).view({1, 1, 2, 2});
  torch::Tensor weights;
  const auto result =
      tfm::scaled_dot_product_attention(queries, {keys, values}, AttentionMask{}, 0, &weights);
  // scores 2/sqrt(2) and 0
  const double first = std::exp(2 / std::sqrt(2.0)) / (std::exp(2 / std::sqrt(2.0)) + 1);
  EXPECT_NEAR(weights[0][0][0][0].item<double>(), first, 1e-6);
  EXPECT_NEAR(result[0][0][0][0].item<double>(), 10 * first + 20 * (1 - first), 1e-5);
  EXPECT_NEAR(result[0][0][0][1].item<double>(), 4 * (1 - first), 1e-5);
}

TEST(ScaledDotProductAttention, AgreesWithLibTorchUnderEveryMask) {
  torch::manual_seed(1);
  const auto q = torch::randn({2, 3, 5, 8});
  const auto k = torch::randn({2, 3, 5, 8});
  const auto v = torch::randn({2, 3, 5, 8});
  const auto padding =
      torch::tensor({1, 1, 1, 0, 0, 1, 1, 1, 1, 1}, torch::kBool).view({2, 1, 1, 5});
  const auto near = [](const torch::Tensor& a, const torch::Tensor& b) {
    EXPECT_LT((a - b).abs().max().item<double>(), 1e-5);
  };
  near(tfm::scaled_dot_product_attention(q, {k, v}, AttentionMask{}),
       at::scaled_dot_product_attention(q, k, v));
  near(tfm::scaled_dot_product_attention(q, {k, v}, AttentionMask{.mask = padding}),
       at::scaled_dot_product_attention(q, k, v, padding));
  near(tfm::scaled_dot_product_attention(q, {k, v}, AttentionMask{.mask = {}, .causal = true}),
       at::scaled_dot_product_attention(q, k, v, {}, 0.0, true));
  near(tfm::scaled_dot_product_attention(q, {k, v}, AttentionMask{.mask = padding, .causal = true}),
       at::scaled_dot_product_attention(q, k, v,
                                        padding.logical_and(subsequent_mask(5, torch::kCPU))));
}

TEST(ScaledDotProductAttention, GivesZerosWhereNothingMayBeSeen) {
  auto q = torch::randn({1, 1, 2, 4}, torch::requires_grad());
  const auto k = torch::randn({1, 1, 3, 4});
  const auto hidden = torch::tensor({0, 0, 0, 1, 1, 1}, torch::kBool).view({1, 1, 2, 3});
  torch::Tensor weights;
  const auto result =
      tfm::scaled_dot_product_attention(q, {k, k}, AttentionMask{.mask = hidden}, 0, &weights);
  EXPECT_EQ(result[0][0][0].abs().max().item<double>(), 0);
  EXPECT_EQ(weights[0][0][0].abs().max().item<double>(), 0);
  EXPECT_NEAR(weights[0][0][1].sum().item<double>(), 1, 1e-6);
  result.sum().backward();
  EXPECT_TRUE(q.grad().isfinite().all().item<bool>());
}

MultiHeadAttention random_attention(AttentionKind kind) {
  torch::manual_seed(2);
  LinearParts parts;
  MultiHeadAttention attention(small_config(), kind, parts);
  for (auto& parameter : attention->parameters()) torch::nn::init::normal_(parameter, 0, 0.3);
  return attention;
}

TEST(MultiHeadAttention, SelfAttentionIsAttentionOverItself) {
  auto self = random_attention(AttentionKind::self);
  auto cross = random_attention(AttentionKind::cross);  // with the same weights
  const auto x = torch::randn({2, 5, 16});
  const ForwardContext context;
  EXPECT_LT((self->self_forward(context, x, {}) - cross->forward(context, x, x, AttentionMask{}))
                .abs()
                .max()
                .item<double>(),
            1e-5);
}

TEST(MultiHeadAttention, FusedAndPlainPathsAgree) {
  auto attention = random_attention(AttentionKind::self);
  const auto x = torch::randn({2, 5, 16});
  const auto mask = torch::tensor({1, 1, 1, 0, 0, 1, 1, 1, 1, 1}, torch::kBool).view({2, 1, 1, 5});
  const ForwardContext context;
  for (const AttentionMask& visible :
       {AttentionMask{}, AttentionMask{.mask = mask}, AttentionMask{.mask = {}, .causal = true},
        AttentionMask{.mask = mask, .causal = true}}) {
    torch::Tensor weights;  // asking for weights takes the plain path
    EXPECT_LT((attention->self_forward(context, x, visible) -
               attention->self_forward(context, x, visible, &weights))
                  .abs()
                  .max()
                  .item<double>(),
              1e-5);
  }
}

}  // namespace
}  // namespace tfm

#include "tfm/nn/attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model_fixture.h"

namespace tfm {
namespace {

TEST(ScaledDotProductAttention, EqualsTheFormulaComputedByHand) {
  const auto queries = torch::tensor({1.0, 0.0}).view({1, 1, 1, 2});
  const auto keys = torch::tensor({2.0, 5.0, 0.0, 7.0}).view({1, 1, 2, 2});
  const auto values = torch::tensor({10.0, 0.0, 20.0, 4.0}).view({1, 1, 2, 2});
  torch::Tensor weights;
  const auto result =
      tfm::scaled_dot_product_attention(queries, {keys, values}, AttentionMask{}, 0, &weights);
  // The scores are 2/sqrt(2) and 0.
  const double first = std::exp(2 / std::sqrt(2.0)) / (std::exp(2 / std::sqrt(2.0)) + 1);
  EXPECT_NEAR(weights[0][0][0][0].item<double>(), first, 1e-6);
  EXPECT_NEAR(result[0][0][0][0].item<double>(), 10 * first + 20 * (1 - first), 1e-5);
  EXPECT_NEAR(result[0][0][0][1].item<double>(), 4 * (1 - first), 1e-5);
}

TEST(ScaledDotProductAttention, EqualsLibTorchWithPaddingAndCausalMasks) {
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

TEST(ScaledDotProductAttention, ReturnsZerosForQueriesWithoutKeys) {
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
  LayerFactory layers;
  MultiHeadAttention attention(small_config(), kind, layers);
  for (auto& parameter : attention->parameters()) torch::nn::init::normal_(parameter, 0, 0.3);
  return attention;
}

TEST(MultiHeadAttention, SelfAttentionEqualsCrossAttentionOverTheSameTensor) {
  auto self = random_attention(AttentionKind::self);
  auto cross = random_attention(AttentionKind::cross);  // with the same weights
  const auto x = torch::randn({2, 5, 16});
  const ForwardContext context;
  EXPECT_LT((self->self_forward(context, x, PaddedLayout{}) -
             cross->forward(context, x, PaddedLayout{}, x, PaddedLayout{}))
                .abs()
                .max()
                .item<double>(),
            1e-5);
}

TEST(MultiHeadAttention, GivesTheSameResultsWithAndWithoutPadding) {
  const ForwardContext context;
  const UnpaddedLayout unpadded({3, 5}, 5);
  const PaddedLayout padded{unpadded.pad(torch::ones({8, 1})).squeeze(2).ne(0).view({2, 1, 1, 5})};
  const auto x = torch::randn({2, 5, 16});
  for (const auto kind : {AttentionKind::self, AttentionKind::causal_self}) {
    auto self = random_attention(kind);
    const auto expected = unpadded.unpad(self->self_forward(context, x, padded));
    EXPECT_TRUE(self->self_forward(context, unpadded.unpad(x), unpadded)
                    .allclose(expected, /*rtol=*/1e-4, /*atol=*/1e-5));
  }
  auto cross = random_attention(AttentionKind::cross);
  const auto memory = torch::randn({2, 5, 16});
  const auto expected = unpadded.unpad(cross->forward(context, x, padded, memory, padded));
  EXPECT_TRUE(cross->forward(context, unpadded.unpad(x), unpadded, unpadded.unpad(memory), unpadded)
                  .allclose(expected, /*rtol=*/1e-4, /*atol=*/1e-5));
}

TEST(MultiHeadAttention, FusedKernelsEqualTheReference) {
  const auto mask = torch::tensor({1, 1, 1, 0, 0, 1, 1, 1, 1, 1}, torch::kBool).view({2, 1, 1, 5});
  const ForwardContext context;
  for (const auto kind : {AttentionKind::self, AttentionKind::causal_self}) {
    auto attention = random_attention(kind);
    const auto x = torch::randn({2, 5, 16});
    for (const PaddedLayout& layout : {PaddedLayout{}, PaddedLayout{mask}}) {
      torch::Tensor weights;  // requesting weights selects the reference implementation
      EXPECT_LT((attention->self_forward(context, x, layout) -
                 attention->self_forward(context, x, layout, &weights))
                    .abs()
                    .max()
                    .item<double>(),
                1e-5);
    }
  }
}

}  // namespace
}  // namespace tfm

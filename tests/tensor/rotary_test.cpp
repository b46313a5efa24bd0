#include "tfm/tensor/rotary.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace tfm {
namespace {

/// Projections of 300 tokens with 3 heads, at positions from 0 to 19.
class RotateQueriesAndKeys : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { torch::manual_seed(7); }
  int64_t width = GetParam();
  torch::Tensor positions = torch::arange(300).remainder(20);
  torch::Tensor factors = rotary_factors(torch::rand({20, width / 2}, torch::kFloat64) * 40);
  torch::Tensor qkv = torch::randn({300, 9 * width});
};
INSTANTIATE_TEST_SUITE_P(HeadSize, RotateQueriesAndKeys, testing::Values(2, 6, 16, 34, 64));

TEST_P(RotateQueriesAndKeys, EqualsItsReference) {
  const auto found = rotate_queries_and_keys(qkv, 3, positions, factors);
  const auto expected = rotate_queries_and_keys_by_operations(qkv, 3, positions, factors);
  EXPECT_TRUE(torch::allclose(found, expected, 1e-5, 1e-6));
  EXPECT_TRUE(found.slice(1, 6 * width).equal(qkv.slice(1, 6 * width))) << "the values";
}

TEST_P(RotateQueriesAndKeys, RoundsBf16Once) {
  const auto coarse = qkv.to(torch::kBFloat16);
  const auto found = rotate_queries_and_keys(coarse, 3, positions, factors);
  const auto expected =
      rotate_queries_and_keys_by_operations(coarse.to(torch::kFloat32), 3, positions, factors);
  ASSERT_EQ(found.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(torch::allclose(found.to(torch::kFloat32), expected, 1.0 / 256, 1e-6));
}

TEST_P(RotateQueriesAndKeys, HasTheGradientOfItsReference) {
  const auto weights = torch::randn_like(qkv);
  const auto gradient = [&](const auto& rotate) {
    const auto x = qkv.clone().requires_grad_();
    (rotate(x, 3, positions, factors) * weights).sum().backward();
    return x.grad();
  };
  EXPECT_TRUE(torch::allclose(gradient(rotate_queries_and_keys),
                              gradient(rotate_queries_and_keys_by_operations), 1e-5, 1e-6));
}

}  // namespace
}  // namespace tfm

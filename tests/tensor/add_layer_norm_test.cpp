#include "tfm/tensor/add_layer_norm.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(AddLayerNorm, EqualsTheLayerNormOfTheSum) {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(1);
  for (const int64_t width : {1, 15, 16, 40, 512}) {
    const auto x = torch::randn({3, 7, width}) * 3 + 1;
    const auto y = torch::randn({3, 7, width});
    const auto scale = torch::randn({width});
    const auto shift = torch::randn({width});
    const auto expected = [&](const torch::Tensor& sum, const torch::Tensor& a,
                              const torch::Tensor& b) {
      return torch::layer_norm(sum, {width}, a, b, 1e-5);
    };
    const auto close = [&](const torch::Tensor& a, const torch::Tensor& b) {
      return torch::allclose(a, b, 1e-4, 1e-5);
    };
    EXPECT_TRUE(close(add_layer_norm(x, y, scale, shift, 1e-5), expected(x + y, scale, shift)))
        << width;
    EXPECT_TRUE(close(add_layer_norm(x, {}, scale, {}, 1e-5), expected(x, scale, {}))) << width;
    EXPECT_TRUE(close(add_layer_norm(x, y, {}, {}, 1e-5), expected(x + y, {}, {}))) << width;
    const auto rounded = y.to(torch::kBFloat16);
    EXPECT_TRUE(close(add_layer_norm(x, rounded, scale, shift, 1e-5),
                      expected(x + rounded.to(torch::kFloat32), scale, shift)))
        << width;
  }
}

TEST(AddLayerNorm, ComputesEachRowIndependentlyOfTheOtherRows) {
  const torch::NoGradGuard no_grad;
  const auto x = torch::randn({50, 37});
  const auto y = torch::randn({50, 37});
  const auto together = add_layer_norm(x, y, {}, {}, 1e-5);
  for (const int64_t row : {0, 1, 49})
    EXPECT_TRUE(add_layer_norm(x.narrow(0, row, 1), y.narrow(0, row, 1), {}, {}, 1e-5)
                    .equal(together.narrow(0, row, 1)));
}

TEST(CanFuseAddLayerNorm, AcceptsOnlyFp32WithoutGradients) {
  EXPECT_FALSE(can_fuse_add_layer_norm(torch::randn({2, 3})));
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(can_fuse_add_layer_norm(torch::randn({2, 3})));
  EXPECT_FALSE(can_fuse_add_layer_norm(torch::randn({2, 3}, torch::kFloat64)));
}

}  // namespace
}  // namespace tfm

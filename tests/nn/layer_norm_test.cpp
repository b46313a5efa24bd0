#include "tfm/nn/ops/layer_norm.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(LayerNormOfSum, IsLibTorchsNormOfTheSum) {
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
    EXPECT_TRUE(close(layer_norm_of_sum(x, y, scale, shift, 1e-5), expected(x + y, scale, shift)))
        << width;
    EXPECT_TRUE(close(layer_norm_of_sum(x, {}, scale, {}, 1e-5), expected(x, scale, {}))) << width;
    EXPECT_TRUE(close(layer_norm_of_sum(x, y, {}, {}, 1e-5), expected(x + y, {}, {}))) << width;
    const auto rounded = y.to(torch::kBFloat16);
    EXPECT_TRUE(close(layer_norm_of_sum(x, rounded, scale, shift, 1e-5),
                      expected(x + rounded.to(torch::kFloat32), scale, shift)))
        << width;
  }
}

TEST(LayerNormOfSum, GivesARowTheSameBitsAmongAnyOthers) {
  const torch::NoGradGuard no_grad;
  const auto x = torch::randn({50, 37});
  const auto y = torch::randn({50, 37});
  const auto together = layer_norm_of_sum(x, y, {}, {}, 1e-5);
  for (const int64_t row : {0, 1, 49})
    EXPECT_TRUE(layer_norm_of_sum(x.narrow(0, row, 1), y.narrow(0, row, 1), {}, {}, 1e-5)
                    .equal(together.narrow(0, row, 1)));
}

TEST(LayerNormOfSum, IsForInference) {
  EXPECT_FALSE(has_layer_norm_of_sum(torch::randn({2, 3})));
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(has_layer_norm_of_sum(torch::randn({2, 3})));
  EXPECT_FALSE(has_layer_norm_of_sum(torch::randn({2, 3}, torch::kFloat64)));
}

}  // namespace
}  // namespace tfm

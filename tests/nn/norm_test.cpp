#include "tfm/nn/norm.h"

#include <gtest/gtest.h>

#include "model_fixture.h"

namespace tfm {
namespace {

TEST(Normalization, LayerNormGivesMeanZeroAndDeviationOne) {
  Normalization norm(small_config());
  const auto y = norm(torch::randn({3, 5, 16}) * 4 + 7);
  EXPECT_LT(y.mean(-1).abs().max().item<double>(), 1e-5);
  EXPECT_LT((y.var(-1, /*unbiased=*/false) - 1).abs().max().item<double>(), 1e-3);
}

TEST(Normalization, RmsNormDividesByTheRootMeanSquare) {
  auto config = small_config();
  config.norm = Norm::rms_norm;
  Normalization norm(config);
  // The root mean square is sqrt(12.5).
  const auto x = torch::tensor({3.0, 4.0}).repeat({8}).view({1, 16});
  EXPECT_LT((norm(x) - x / std::sqrt(12.5)).abs().max().item<double>(), 1e-5);
}

TEST(Normalization, DeviationNormUsesTheSampleDeviationWithEpsilonOutsideTheRoot) {
  auto config = small_config();
  config.norm = Norm::deviation_norm;
  config.norm_epsilon = 0.5;
  Normalization norm(config);
  const auto x = torch::tensor({3.0F, 5.0F}).repeat({8}).view({1, 16});
  const double deviation = std::sqrt(16.0 / 15.0);  // 16 squared deviations of 1, over n - 1
  EXPECT_NEAR(norm(x)[0][1].item<double>(), 1 / (deviation + 0.5), 1e-5);
}

TEST(Normalization, HasScaleAndShiftOnlyIfConfigured) {
  auto config = small_config();
  EXPECT_EQ(Normalization(config)->parameters().size(), 2U);
  config.norm = Norm::rms_norm;
  EXPECT_EQ(Normalization(config)->parameters().size(), 1U);
  config.norm_affine = false;
  EXPECT_TRUE(Normalization(config)->parameters().empty());
}

}  // namespace
}  // namespace tfm

#include "tfm/tensor/log_softmax.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

namespace tfm {
namespace {

TEST(LogSoftmaxRows, EqualsTorchLogSoftmax) {
  torch::manual_seed(1);
  const torch::InferenceMode inference;
  for (const int64_t width : {1, 7, 16, 33, 10000}) {
    for (const double spread : {0.1, 5.0, 200.0}) {
      const auto logits = spread * torch::randn({5, width}) + 30;
      EXPECT_TRUE(log_softmax_rows(logits).allclose(torch::log_softmax(logits, -1), 1e-5, 1e-4))
          << width << " " << spread;
      EXPECT_TRUE(log_softmax_rows_(logits.clone()).equal(log_softmax_rows(logits)))
          << width << " " << spread;
      const auto narrow = logits.to(torch::kBFloat16);
      const auto found = log_softmax_rows(narrow);
      EXPECT_EQ(found.scalar_type(), torch::kFloat32);
      EXPECT_TRUE(found.allclose(torch::log_softmax(narrow.to(torch::kFloat32), -1), 1e-5, 1e-4))
          << width << " " << spread;
    }
  }
}

/// Search detects a diverged model by these NaNs.
TEST(LogSoftmaxRows, ReturnsNanForARowWithNanOrPlusInfinity) {
  const torch::InferenceMode inference;
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const int64_t column : {0, 20, 39}) {
      auto logits = torch::randn({2, 40});
      logits[1][column] = bad;
      const auto found = log_softmax_rows(logits);
      EXPECT_TRUE(found[0].isfinite().all().item<bool>());
      EXPECT_TRUE(found[1].isnan().all().item<bool>()) << bad << " " << column;
      EXPECT_TRUE(log_softmax_rows_(logits.clone())[1].isnan().all().item<bool>())
          << bad << " " << column;
    }
  }
}

TEST(LogSoftmaxRows, GivesLogitsOfMinusInfinityZeroProbability) {
  const torch::InferenceMode inference;
  const auto logits = torch::tensor({{0.0F, -std::numeric_limits<float>::infinity(), 0.0F}});
  EXPECT_TRUE(log_softmax_rows(logits).allclose(torch::log_softmax(logits, -1)))
      << log_softmax_rows(logits);
}

}  // namespace
}  // namespace tfm

#include "tfm/tensor/quantized_matrix.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <limits>

namespace tfm {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Rows are quantised in groups, and numbers in vectors, so the shapes have remainders of both.
TEST(QuantizeRows, RoundsEachRowToItsOwnStep) {
  const torch::InferenceMode inference;
  torch::manual_seed(1);
  for (const int64_t rows : {1, 4, 7}) {
    for (const int64_t width : {1, 15, 16, 33, 128}) {
      for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
        const auto x =
            (torch::randn({rows, width}) * torch::logspace(-3, 3, rows).unsqueeze(1)).to(type);
        const auto wide = x.to(torch::kFloat32);
        const auto found = quantize_rows(x);
        const auto steps = wide.abs().amax(1) / 127;
        EXPECT_TRUE(found.scales.allclose(steps, 1e-6)) << rows << " " << width;
        EXPECT_EQ(found.values.abs().amax().item<int>(), 127);
        const auto error = found.values.to(torch::kFloat32) * steps.unsqueeze(1) - wide;
        EXPECT_TRUE((error.abs() <= 0.5001 * steps.unsqueeze(1)).all().item<bool>()) << width;
        EXPECT_TRUE(found.sums.equal(found.values.sum(1).to(torch::kInt32))) << width;
      }
    }
  }
}

TEST(QuantizeRows, GivesARowTheSameNumbersAloneAndAmongOthers) {
  const torch::InferenceMode inference;
  const auto x = torch::randn({6, 70});
  const auto together = quantize_rows(x);
  for (int64_t row = 0; row < 6; ++row) {
    const auto alone = quantize_rows(x.slice(0, row, row + 1));
    EXPECT_TRUE(alone.values[0].equal(together.values[row])) << row;
    EXPECT_TRUE(alone.scales[0].equal(together.scales[row])) << row;
  }
}

TEST(QuantizeRows, GivesRowsOfZerosTheScale0AndRowsThatAreNotFiniteTheScaleNan) {
  const torch::InferenceMode inference;
  for (const int64_t column : {0, 16, 32}) {
    auto x = torch::randn({6, 33});
    x[1].zero_();
    x[2][column] = infinity;
    x[3][column] = -infinity;
    x[4][column] = std::numeric_limits<float>::quiet_NaN();
    x[5] = std::numeric_limits<float>::denorm_min();
    const auto found = quantize_rows(x);
    EXPECT_GT(found.scales[0].item<float>(), 0);
    EXPECT_EQ(found.scales[1].item<float>(), 0);
    EXPECT_TRUE(found.scales.slice(0, 2, 5).isnan().all().item<bool>()) << column;
    EXPECT_LT(found.scales[5].item<float>(), 1e-40);
    EXPECT_TRUE(found.values.slice(0, 1).eq(0).all().item<bool>()) << column;
    EXPECT_TRUE(found.sums.slice(0, 1).eq(0).all().item<bool>()) << column;
  }
}

}  // namespace
}  // namespace tfm

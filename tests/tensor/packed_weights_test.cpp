#include "tfm/tensor/packed_weights.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>
#include <limits>

#include "kernels/cpu_features.h"
#include "kernels/simd.h"
#include "tfm/tensor/linear.h"

namespace tfm {
namespace {

double relative_error(const torch::Tensor& found, const torch::Tensor& expected) {
  return ((found.to(torch::kFloat64) - expected.to(torch::kFloat64)).norm() /
          expected.to(torch::kFloat64).norm())
      .item<double>();
}

/// Returns the relative error of linear with weights packed in this format.
double packing_error(WeightFormat format, const torch::Tensor& x, const torch::Tensor& weight,
                     const torch::Tensor& bias, int64_t begin = 0, int64_t end = 0) {
  const torch::InferenceMode inference;
  LinearParts parts;
  const auto part = parts.add(weight, bias, begin, end);
  const auto expected = linear({}, x, part);
  const PackedWeights weights(parts.all(), {.format = format});
  const auto first = linear(weights.context(), x, part);
  EXPECT_EQ(first.sizes(), expected.sizes());
  EXPECT_TRUE(linear(weights.context(), x, part).equal(first))
      << "a second call must give the same bits";
  return relative_error(first, expected);
}

class PackedWeightsTest : public testing::TestWithParam<WeightFormat> {
 protected:
  void SetUp() override {
    if (GetParam() == WeightFormat::bf16 && !cpu_supports_bf16())
      GTEST_SKIP() << "this processor does not multiply in bf16";
  }

  static double tolerance() {
    switch (GetParam()) {
      case WeightFormat::fp32:
        return 1e-6;
      case WeightFormat::bf16:
        return 0.006;  // about 2^-9 for each of three roundings
      case WeightFormat::int8:
        // In x and in W, the range from 0 to the largest absolute value of a row, about three
        // standard deviations, is divided into 127 steps.
        return 0.022;
    }
    return 0;
  }
};

TEST_P(PackedWeightsTest, MultipliesLikeUnpackedFp32Weights) {
  torch::manual_seed(3);
  for (const int64_t rows : {1, 3, 32, 130}) {
    for (const auto& [in, out] :
         {std::pair<int64_t, int64_t>{16, 48}, {256, 384}, {20, 3501}, {512, 192}}) {
      const auto weight = torch::randn({out, in});
      EXPECT_LT(packing_error(GetParam(), torch::randn({rows, in}), weight, torch::randn({out})),
                tolerance())
          << rows << " " << in << " " << out;
      EXPECT_LT(packing_error(GetParam(), torch::randn({rows, in}), weight, {}), tolerance())
          << rows << " " << in << " " << out;
    }
  }
}

TEST_P(PackedWeightsTest, MultipliesATensorOfRankThreeByASliceOfAWeight) {
  torch::manual_seed(4);
  const auto weight = torch::randn({480, 320});
  EXPECT_LT(
      packing_error(GetParam(), torch::randn({2, 3, 320}), weight, torch::randn({480}), 160, 480),
      tolerance());
}

TEST_P(PackedWeightsTest, DistinguishesPartsOfOneMatrix) {
  const torch::InferenceMode inference;
  const auto weight = torch::randn({512, 256});
  const auto x = torch::randn({4, 256});
  LinearParts parts;
  const auto first = parts.add(weight, {}, 0, 256);
  const auto second = parts.add(weight, {}, 256, 512);
  const PackedWeights weights(parts.all(), {.format = GetParam()});
  const auto upper = linear(weights.context(), x, first);
  const auto lower = linear(weights.context(), x, second);
  EXPECT_LT(relative_error(torch::cat({upper, lower}, 1), x.mm(weight.t())), tolerance());
}

TEST_P(PackedWeightsTest, AppliesReluToTheProduct) {
  const torch::InferenceMode inference;
  LinearParts parts;
  const auto part = parts.add(torch::randn({96, 320}), torch::randn({96}));
  const PackedWeights weights(parts.all(), {.format = GetParam()});
  const auto x = torch::randn({2, 3, 320});
  const auto found = linear_relu(weights.context(), x, part);
  EXPECT_TRUE(found.equal(linear(weights.context(), x, part).relu()));
  EXPECT_GT(found.eq(0).sum().item<int64_t>(), 0);
}

TEST_P(PackedWeightsTest, CallsOnPackedForEachReplacedWeight) {
  const torch::InferenceMode inference;
  const auto weight = torch::randn({1024, 256});
  const auto small = torch::randn({16, 256});
  std::vector<const void*> replaced;
  LinearParts parts;
  parts.add(weight, {}, 512, 1024);
  parts.add(small, {});
  const PackedWeights weights(parts.all(),
                              {.format = GetParam(), .on_packed = [&](const torch::Tensor& tensor) {
                                 replaced.push_back(tensor.const_data_ptr());
                               }});
  const auto* part = weight.slice(0, 512, 1024).const_data_ptr();
  const auto* other = small.const_data_ptr();  // small weights are always packed
  const bool used_unpacked =
      GetParam() == WeightFormat::fp32 && simd_width() == max_lanes && cpu_features().intel;
  EXPECT_EQ(replaced, used_unpacked ? std::vector{other} : (std::vector{part, other}));
}

/// The result of a row must not depend on its neighbours, so that a sentence has the same
/// translation in every batch.
TEST(PackedWeights, Int8GivesEachRowItsOwnScale) {
  torch::manual_seed(5);
  const auto weight = torch::randn({300, 256});
  auto x = torch::randn({3, 256});
  x[1] *= 1000;
  x[2].zero_();
  const torch::InferenceMode inference;
  LinearParts parts;
  const auto part = parts.add(weight, {});
  const PackedWeights weights(parts.all(), {.format = WeightFormat::int8});
  const auto together = linear(weights.context(), x, part);
  EXPECT_TRUE(together[0].equal(linear(weights.context(), x.slice(0, 0, 1), part)[0]));
  EXPECT_EQ(together[2].abs().max().item<float>(), 0);
}

/// The weights that project to queries and keys are parts of one matrix. Attention multiplies
/// queries with keys, so they need the same data type. With bf16, small weights stay in fp32; the
/// size of the whole matrix must decide that, not the size of each part.
TEST_P(PackedWeightsTest, GivesPartsOfOneMatrixTheSameDataType) {
  const torch::InferenceMode inference;
  const auto weight = torch::randn({3 * 256, 256});
  const auto x = torch::randn({4, 256});
  LinearParts parts;
  const auto query = parts.add(weight, {}, 0, 256);
  const auto kv = parts.add(weight, {}, 256, 768);
  const PackedWeights weights(parts.all(), {.format = GetParam()});
  EXPECT_EQ(linear(weights.context(), x, query).scalar_type(),
            linear(weights.context(), x, kv).scalar_type());
}

TEST_P(PackedWeightsTest, SelectsRowsOfAWeightThatIsNotPackedAsAWhole) {
  const torch::InferenceMode inference;
  torch::manual_seed(6);
  const auto weight = torch::randn({400, 256});
  const auto bias = torch::randn({400});
  const auto x = torch::randn({4, 256});
  const auto rows = torch::arange(0, 400, 2);
  LinearParts parts;
  const auto part = parts.add(weight, bias);
  std::vector<int64_t> replaced;
  const PackedWeights weights(parts.all(), {.format = GetParam(),
                                            .selected_slot = part.slot,
                                            .on_packed = [&](const torch::Tensor& tensor) {
                                              replaced.push_back(tensor.size(0));
                                            }});
  const auto found = multiply(x, weights.select_rows(part, rows));
  const auto expected = torch::linear(x, weight, bias).index_select(1, rows);
  EXPECT_LT(relative_error(found, expected), tolerance());
  // Only int8 keeps a copy. In the other formats, select_rows reads the weight itself.
  const bool copied = GetParam() == WeightFormat::int8;
  EXPECT_EQ(replaced, copied ? std::vector<int64_t>{400} : std::vector<int64_t>{});
  EXPECT_THROW(linear(weights.context(), x, part), std::bad_optional_access);
}

TEST(QuantizeRows, GivesRowsWithNonFiniteNumbersTheScaleNan) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    // With vectors of 16 lanes, columns 37 and 39 are beyond the last whole vector.
    for (const int64_t column : {0, 37, 39}) {
      auto x = torch::ones({2, 40});
      x[1][column] = bad;
      const auto rounded = quantize_rows(x);
      EXPECT_TRUE(std::isnan(rounded.scales[1].item<float>())) << column;
      EXPECT_TRUE(rounded.values[1].eq(0).all().item<bool>());
      EXPECT_TRUE(rounded.values[0].eq(127).all().item<bool>());
    }
  }
}

TEST(QuantizeRows, RoundsToTheNearestStep) {
  const auto x = torch::tensor({{-1.27F, 0.014F, 0.016F, 1.0F}, {0.0F, 0.0F, 0.0F, 0.0F}});
  const auto rounded = quantize_rows(x);
  EXPECT_TRUE(rounded.values.equal(torch::tensor({{-127, 1, 2, 100}, {0, 0, 0, 0}}, torch::kInt8)))
      << rounded.values;
  EXPECT_NEAR(rounded.scales[0].item<float>(), 0.01, 1e-7);
  EXPECT_EQ(rounded.scales[1].item<float>(), 0);
}

INSTANTIATE_TEST_SUITE_P(Formats, PackedWeightsTest,
                         testing::Values(WeightFormat::fp32, WeightFormat::bf16,
                                         WeightFormat::int8),
                         [](const auto& info) {
                           return info.param == WeightFormat::fp32   ? "Fp32"
                                  : info.param == WeightFormat::bf16 ? "Bf16"
                                                                     : "Int8";
                         });

}  // namespace
}  // namespace tfm

#include "tfm/tensor/int8_gemm.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/cpu_features.h"
#include "kernels/int8_panel.h"

namespace tfm {
namespace {

torch::Tensor whole_numbers(torch::IntArrayRef sizes) {
  return torch::randint(-127, 128, sizes, torch::kInt8);
}

QuantizedMatrix quantized_matrix(const torch::Tensor& values, const torch::Tensor& scales) {
  return {values, scales, values.sum(1).to(torch::kInt32)};
}

/// Returns the values with scales of 1, so that products are whole numbers.
QuantizedMatrix unscaled(const torch::Tensor& values) {
  return quantized_matrix(values, torch::ones({values.size(0)}));
}

TEST(Int8Gemm, SumsProductsExactlyWithEveryKernel) {
  torch::manual_seed(4);
  for (const auto& [rows, in, out] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                                      {8, 4, 32},
                                      {7, 130, 33},
                                      {33, 128, 100},
                                      {2, 513, 16},
                                      {70, 600, 1030},
                                      {32, 128, 64},
                                      {49, 192, 40},
                                      {300, 64, 33},
                                      {0, 8, 40}}) {
    const auto values = whole_numbers({rows, in});
    const auto weight = whole_numbers({out, in});
    const auto expected =
        values.to(torch::kInt64).matmul(weight.to(torch::kInt64).t()).to(torch::kFloat32);
    for (const auto kernel : int8_kernels()) {
      const auto found = int8_gemm(unscaled(values), pack_int8(unscaled(weight), kernel), {});
      EXPECT_TRUE(found.equal(expected))
          << rows << " x " << in << " x " << out << ", kernel " << static_cast<int>(kernel);
    }
  }
}

TEST(Int8Gemm, ComputesEachRowIndependentlyOfTheNumberOfRows) {
  torch::manual_seed(6);
  const auto weight = whole_numbers({40, 152});
  const auto values = whole_numbers({140, 152});
  for (const auto kernel : int8_kernels()) {
    const auto packed = pack_int8(unscaled(weight), kernel);
    const auto expected = int8_gemm(unscaled(values), packed, {});
    for (int64_t rows = 1; rows <= 140; ++rows) {
      const auto found = int8_gemm(unscaled(values.narrow(0, 0, rows)), packed, {});
      EXPECT_TRUE(found.equal(expected.narrow(0, 0, rows)))
          << rows << " rows, kernel " << static_cast<int>(kernel);
    }
  }
}

TEST(Int8Gemm, SumsTheLargestProductsWithoutOverflow) {
  const auto x = unscaled(torch::full({9, 300}, -127, torch::kInt8));
  for (const auto kernel : int8_kernels()) {
    for (const int sign : {-1, 1}) {
      const auto weight = unscaled(torch::full({40, 300}, sign * 127, torch::kInt8));
      const auto found = int8_gemm(x, pack_int8(weight, kernel), {});
      EXPECT_TRUE(found.eq(-127.0 * 127 * 300 * sign).all().item<bool>())
          << "kernel " << static_cast<int>(kernel);
    }
  }
}

/// Returns values W^T by oneDNN, [N, out] fp32, with each column multiplied by its scale. LibTorch
/// exposes this kernel only as private operators.
torch::Tensor onednn_linear_int8(const torch::Tensor& values, const QuantizedMatrix& weight) {
  const auto call = [](const char* name, std::vector<c10::IValue> arguments) {
    c10::Dispatcher::singleton().findSchemaOrThrow(name, "").callBoxed(arguments);
    return arguments.front().toTensor();
  };
  const auto packed = call("onednn::qlinear_prepack", {weight.values, c10::IValue()});
  const auto zeros = torch::zeros({weight.scales.size(0)}, torch::kInt32);
  return call("onednn::qlinear_pointwise",
              {values, 1.0, int64_t{0}, packed, weight.scales, zeros, c10::IValue(), 1.0,
               int64_t{0}, at::kFloat, "none", c10::List<std::optional<at::Scalar>>(), ""});
}

/// Matrices with random numbers. 37 rows use whole tiles and a smaller last tile in all kernels.
class Int8GemmOfRandomMatrices : public testing::Test {
 protected:
  Int8GemmOfRandomMatrices() {
    torch::manual_seed(5);
    numbers = torch::randn({37, 256});
    x = quantize_rows(numbers);
    weight = quantize_rows(torch::randn({300, 256}));
    bias = torch::randn({300});
  }
  torch::Tensor numbers;
  QuantizedMatrix x;  // the numbers
  QuantizedMatrix weight;
  torch::Tensor bias;
};

TEST_F(Int8GemmOfRandomMatrices, QuantisesAndPadsNumbersAsMatricesAre) {
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    for (const int64_t in : {256, 130, 1}) {
      const auto input = numbers.slice(1, 0, in).to(type);
      for (const auto kernel : int8_kernels()) {
        const auto packed = pack_int8(quantize_rows(torch::randn({40, in})), kernel);
        EXPECT_TRUE(int8_gemm(input, packed, {}).equal(int8_gemm(quantize_rows(input), packed, {})))
            << in << " columns, kernel " << static_cast<int>(kernel);
      }
    }
  }
}

TEST_F(Int8GemmOfRandomMatrices, ReturnsTheSameResultBitForBitWithEveryKernel) {
  const auto expected = int8_gemm(x, pack_int8(weight, Int8Kernel::portable), bias);
  const auto unbiased = int8_gemm(x, pack_int8(weight, Int8Kernel::portable), {});
  for (const auto kernel : int8_kernels()) {
    const auto packed = pack_int8(weight, kernel);
    EXPECT_TRUE(int8_gemm(x, packed, bias).equal(expected)) << static_cast<int>(kernel);
    EXPECT_TRUE(int8_gemm(x, packed, {}).equal(unbiased)) << static_cast<int>(kernel);
  }
}

TEST_F(Int8GemmOfRandomMatrices, FindsTheHighestNumberOfEachBlockWithEveryKernel) {
  for (const auto kernel : int8_kernels()) {
    const auto packed = pack_int8(weight, kernel);
    for (const int64_t block : {int8_maxima_block, int64_t{64}}) {
      const auto expected = block_maxima_rows(int8_gemm(x, packed, bias), block);
      const auto found = int8_gemm_maxima(numbers, packed, bias, block);
      EXPECT_TRUE(found.logits.equal(expected.logits));
      EXPECT_EQ(found.block_maxima, expected.block_maxima) << static_cast<int>(kernel);
      EXPECT_EQ(found.log_sums, std::vector<float>(37, 0));
    }
  }
}

TEST_F(Int8GemmOfRandomMatrices, MarksTheRowsOfMaximaWithANumberThatIsNotFinite) {
  numbers[3][7] = std::numeric_limits<float>::infinity();
  for (const auto kernel : int8_kernels()) {
    for (const int64_t column : {0, 299}) {
      auto shift = bias.clone();
      shift[column] = -std::numeric_limits<float>::infinity();
      const auto packed = pack_int8(weight, kernel);
      const auto expected = block_maxima_rows(int8_gemm(numbers, packed, shift), int8_maxima_block);
      const auto found = int8_gemm_maxima(numbers, packed, shift, int8_maxima_block);
      for (std::size_t row = 0; row < 37; ++row)
        EXPECT_EQ(std::isnan(found.log_sums[row]), row == 3) << row;
      const std::size_t row_blocks = 10;
      for (std::size_t i = 4 * row_blocks; i < found.block_maxima.size(); ++i)
        EXPECT_EQ(found.block_maxima[i], expected.block_maxima[i]) << i;
    }
  }
}

TEST_F(Int8GemmOfRandomMatrices, AppliesReluBitForBitLikeLibTorchWithEveryKernel) {
  x.scales[3] = std::numeric_limits<float>::quiet_NaN();
  for (const auto kernel : int8_kernels()) {
    const auto packed = pack_int8(weight, kernel);
    for (const auto& shift : {bias, torch::Tensor()}) {
      const auto expected = int8_gemm(x, packed, shift).relu();
      const auto found = int8_gemm(x, packed, shift, /*relu=*/true);
      EXPECT_TRUE(found.nan_to_num(-1).equal(expected.nan_to_num(-1))) << static_cast<int>(kernel);
      EXPECT_TRUE(found[3].isnan().all().item<bool>()) << static_cast<int>(kernel);
    }
  }
}

TEST_F(Int8GemmOfRandomMatrices, EqualsTheProductOfOneDnnBitForBit) {
  if (cpu_features().simd_width < 8) GTEST_SKIP() << "oneDNN needs AVX2 for int8";
  // Without VNNI, oneDNN sums two products in 16 bits. Weights above 63 could overflow this sum.
  const auto small = quantized_matrix(weight.values.clamp(-63, 63), weight.scales);
  const auto theirs = onednn_linear_int8(x.values, small);
  EXPECT_TRUE(int8_gemm(x, pack_int8(small), {}).equal(theirs * x.scales.unsqueeze(1)));
}

TEST_F(Int8GemmOfRandomMatrices, ReturnsNanInRowsWithTheScaleNan) {
  const auto packed = pack_int8(weight);
  const auto expected = int8_gemm(x, packed, bias);
  x.scales[3] = std::numeric_limits<float>::quiet_NaN();
  const auto found = int8_gemm(x, packed, bias);
  EXPECT_TRUE(found[3].isnan().all().item<bool>());
  EXPECT_TRUE(found[4].equal(expected[4]));
}

TEST_F(Int8GemmOfRandomMatrices, IsCloseToTheProductOfTheDequantizedMatrices) {
  const auto unpacked = [](const QuantizedMatrix& matrix) {
    return matrix.values.to(torch::kFloat32) * matrix.scales.unsqueeze(1);
  };
  const auto expected = unpacked(x).matmul(unpacked(weight).t()) + bias;
  EXPECT_TRUE(torch::allclose(int8_gemm(x, pack_int8(weight), bias), expected, 1e-5, 1e-3));
}

}  // namespace
}  // namespace tfm

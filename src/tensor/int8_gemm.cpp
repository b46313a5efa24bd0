#include "tfm/tensor/int8_gemm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/int8_panel.h"
#include "quantized_rows.h"

namespace tfm {
namespace {

int64_t ceil_divide(int64_t n, int64_t divisor) { return (n + divisor - 1) / divisor; }

/// The rows of a matrix in 8 bits, padded with zeros to whole groups of int8_group numbers.
struct PaddedRows {
  int64_t rows;
  const int8_t* values;  // [rows, groups, int8_group]
  const float* scales;
  const int32_t* sums;
};

/// Quantises rows to plain memory: tensors would take longer to allocate than a few rows to
/// quantise.
class QuantizedInput {
 public:
  QuantizedInput(const torch::Tensor& x, int64_t groups)
      : rows_(x.size(0)),
        values_(std::make_unique_for_overwrite<int8_t[]>(size(groups * int8_group))),
        scales_(std::make_unique_for_overwrite<float[]>(size(1))),
        sums_(std::make_unique_for_overwrite<int32_t[]>(size(1))) {
    const int64_t width = x.size(1);
    const int64_t stride = groups * int8_group;
    quantize_rows(x, {{values_.get(), stride}, scales_.get(), sums_.get()});
    if (width == stride) return;
    for (int64_t row = 0; row < rows_; ++row)
      std::fill_n(values_.get() + row * stride + width, stride - width, int8_t{0});
  }

  PaddedRows padded() const { return {rows_, values_.get(), scales_.get(), sums_.get()}; }

 private:
  std::size_t size(int64_t width) const { return static_cast<std::size_t>(rows_ * width); }

  int64_t rows_;
  std::unique_ptr<int8_t[]> values_;
  std::unique_ptr<float[]> scales_;
  std::unique_ptr<int32_t[]> sums_;
};

/// Returns the part of a product that the panels from `begin` to `end` make.
Int8Product panels_of(Int8Product product, int64_t begin, int64_t end) {
  const int64_t column = begin * int8_panel_width;
  product.panels += column * product.groups * int8_group;
  product.panel_count = end - begin;
  product.scales += column;
  if (product.bias != nullptr) product.bias += column;
  product.columns = std::min(product.columns, end * int8_panel_width) - column;
  product.y += column;
  if (product.maxima.first != nullptr) product.maxima.first += begin;
  return product;
}

/// Returns false if a result could be infinite or NaN.
bool has_finite_results(const PaddedRows& x, const PackedInt8Matrix& weight,
                        const torch::Tensor& bias) {
  const auto largest = [](const torch::Tensor& numbers) {
    return largest_magnitude(numbers.const_data_ptr<float>(), numbers.numel());
  };
  constexpr float largest_product = 127 * 127;
  const auto sum = largest_product * static_cast<float>(weight.values.size(1) * int8_group);
  const float result = sum * largest(weight.scales) * largest_magnitude(x.scales, x.rows);
  return std::isfinite(bias.defined() ? result + largest(bias) : result);
}

/// Computes int8_gemm, and the maxima of each panel unless maxima.first is null (Int8Product).
torch::Tensor multiply(const PaddedRows& x, const PackedInt8Matrix& weight,
                       const torch::Tensor& bias, bool relu, RowView<float> maxima) {
  const int64_t out = weight.scales.size(0);
  const auto y = torch::empty({x.rows, out}, weight.scales.options());
  const auto shift = bias.defined() ? bias.contiguous() : bias;
  const Int8Product all{.x = x.values,
                        .groups = weight.values.size(1),
                        .rows = x.rows,
                        .x_scales = x.scales,
                        .x_sums = x.sums,
                        .panels = weight.values.const_data_ptr<int8_t>(),
                        .panel_count = weight.values.size(0),
                        .scales = weight.scales.const_data_ptr<float>(),
                        .bias = shift.defined() ? shift.const_data_ptr<float>() : nullptr,
                        .relu = relu,
                        .columns = out,
                        .y = y.mutable_data_ptr<float>(),
                        .y_row = out,
                        .maxima = maxima};
  at::parallel_for(0, all.panel_count, 1, [&](int64_t begin, int64_t end) {
    multiply_panels(weight.kernel, panels_of(all, begin, end));
  });
  return y;
}

static_assert(int8_maxima_block == int8_panel_width);

}  // namespace

std::vector<Int8Kernel> int8_kernels() {
  std::vector<Int8Kernel> kernels{Int8Kernel::portable};
  for (const auto kernel : {Int8Kernel::avx2, Int8Kernel::vnni, Int8Kernel::amx})
    if (kernel <= best_int8_kernel()) kernels.push_back(kernel);
  return kernels;
}

std::array<int64_t, 4> int8_panel_shape(int64_t out, int64_t in) {
  constexpr int64_t step = int8_group * int8_group_multiple;
  return {ceil_divide(out, int8_panel_width), ceil_divide(in, step) * int8_group_multiple,
          int8_panel_width, int8_group};
}

PackedInt8Matrix pack_int8(const QuantizedMatrix& weight) {
  return pack_int8(weight, best_int8_kernel());
}

PackedInt8Matrix pack_int8(const QuantizedMatrix& weight, Int8Kernel kernel) {
  const auto& values = weight.values;
  const auto [panels, groups, width, group] = int8_panel_shape(values.size(0), values.size(1));
  const auto padded = at::constant_pad_nd(
      values, {0, groups * group - values.size(1), 0, panels * width - values.size(0)});
  auto packed = padded.view({panels, width, groups, group}).transpose(1, 2).contiguous();
  // In 8 bits, -128 and 128 are the same, so this adds 128 if the result is read as uint8_t.
  if (kernel == Int8Kernel::vnni) packed += -128;
  return {.values = packed, .scales = weight.scales.contiguous(), .kernel = kernel};
}

torch::Tensor int8_gemm(const QuantizedMatrix& x, const PackedInt8Matrix& weight,
                        const torch::Tensor& bias, bool relu) {
  const int64_t padding = weight.values.size(1) * int8_group - x.values.size(1);
  const auto values = padding == 0 ? x.values : at::constant_pad_nd(x.values, {0, padding});
  return multiply({.rows = values.size(0),
                   .values = values.const_data_ptr<int8_t>(),
                   .scales = x.scales.const_data_ptr<float>(),
                   .sums = x.sums.const_data_ptr<int32_t>()},
                  weight, bias, relu, {});
}

torch::Tensor int8_gemm(const torch::Tensor& x, const PackedInt8Matrix& weight,
                        const torch::Tensor& bias, bool relu) {
  const QuantizedInput input(x, weight.values.size(1));
  return multiply(input.padded(), weight, bias, relu, {});
}

NormalizedLogits int8_gemm_maxima(const torch::Tensor& x, const PackedInt8Matrix& weight,
                                  const torch::Tensor& bias, std::int64_t block_size) {
  const QuantizedInput input(x, weight.values.size(1));
  const auto rows = input.padded();
  if (block_size != int8_maxima_block || !finds_maxima(weight.kernel) ||
      !has_finite_results(rows, weight, bias))
    return block_maxima_rows(multiply(rows, weight, bias, /*relu=*/false, {}), block_size);
  const int64_t panels = weight.values.size(0);
  std::vector<float> maxima(static_cast<std::size_t>(rows.rows * panels));
  const auto y = multiply(rows, weight, bias, /*relu=*/false, {maxima.data(), panels});
  return {y, std::vector<float>(static_cast<std::size_t>(rows.rows), 0), std::move(maxima)};
}

}  // namespace tfm

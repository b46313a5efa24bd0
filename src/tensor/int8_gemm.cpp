#include "tfm/tensor/int8_gemm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <vector>

#include "kernels/int8_panel.h"
#include "kernels/quantization.h"

namespace tfm {
namespace {

int64_t ceil_divide(int64_t n, int64_t divisor) { return (n + divisor - 1) / divisor; }

/// Pads the rows of values [N, in] with zeros to whole groups of int8_group numbers.
torch::Tensor pad_rows(const torch::Tensor& values, int64_t groups) {
  const int64_t padding = groups * int8_group - values.size(1);
  return padding == 0 ? values : at::constant_pad_nd(values, {0, padding});
}

/// Returns what the kernel vnni adds to the sums of each row, because its weights are W + 128.
std::vector<int32_t> row_offsets(const torch::Tensor& values) {
  std::vector<int32_t> offsets(static_cast<std::size_t>(values.size(0)));
  const auto* row = values.const_data_ptr<int8_t>();
  for (auto& offset : offsets) {
    offset = -128 * sum_row(row, values.size(1));
    row += values.size(1);
  }
  return offsets;
}

/// Returns the part of a product that the panels from `begin` to `end` make.
Int8Product panels_of(Int8Product product, int64_t begin, int64_t end) {
  const int64_t column = begin * int8_panel_width;
  product.panels += column * product.groups * int8_group;
  product.panel_count = end - begin;
  product.scales += column;
  if (product.bias != nullptr) product.bias += column;
  product.columns = std::min(product.columns, end * int8_panel_width) - column;
  product.y += column;
  return product;
}

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
  const int64_t rows = x.values.size(0);
  const int64_t out = weight.scales.size(0);
  const int64_t groups = weight.values.size(1);
  const auto y = torch::empty({rows, out}, x.scales.options());
  const auto values = pad_rows(x.values, groups);
  const auto offsets =
      weight.kernel == Int8Kernel::vnni ? row_offsets(values) : std::vector<int32_t>();
  const auto shift = bias.defined() ? bias.contiguous() : bias;
  const auto* shifts = shift.defined() ? shift.const_data_ptr<float>() : nullptr;
  const auto* panels = weight.values.const_data_ptr<int8_t>();
  const auto* scales = weight.scales.const_data_ptr<float>();
  const Int8Product all{.x = values.const_data_ptr<int8_t>(),
                        .groups = groups,
                        .rows = rows,
                        .x_scales = x.scales.const_data_ptr<float>(),
                        .x_offsets = offsets.data(),
                        .panels = panels,
                        .panel_count = weight.values.size(0),
                        .scales = scales,
                        .bias = shifts,
                        .relu = relu,
                        .columns = out,
                        .y = y.mutable_data_ptr<float>(),
                        .y_row = out};
  at::parallel_for(0, all.panel_count, 1, [&](int64_t begin, int64_t end) {
    multiply_panels(weight.kernel, panels_of(all, begin, end));
  });
  return y;
}

}  // namespace tfm

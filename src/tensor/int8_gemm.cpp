#include "tfm/tensor/int8_gemm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <vector>

#include "kernels/int8_panel.h"
#include "kernels/quantization.h"

namespace tfm {
namespace {

/// The number of rows that are multiplied by all panels before the next rows: few enough to stay in
/// the L2 cache, and enough that loading a panel takes less time than multiplying it.
constexpr int64_t rows_per_block = 128;

int64_t ceil_divide(int64_t n, int64_t divisor) { return (n + divisor - 1) / divisor; }

/// Pads the rows of values [N, in] with zeros to whole groups of int8_group numbers.
torch::Tensor pad_rows(const torch::Tensor& values, int64_t groups) {
  const int64_t padding = groups * int8_group - values.size(1);
  return padding == 0 ? values : at::constant_pad_nd(values, {0, padding});
}

std::vector<int32_t> sum_rows(const torch::Tensor& values) {
  std::vector<int32_t> sums(static_cast<std::size_t>(values.size(0)));
  const auto* row = values.const_data_ptr<int8_t>();
  for (auto& sum : sums) {
    sum = sum_row(row, values.size(1));
    row += values.size(1);
  }
  return sums;
}

}  // namespace

std::vector<Int8Kernel> int8_kernels() {
  std::vector<Int8Kernel> kernels{Int8Kernel::portable};
  for (const auto kernel : {Int8Kernel::avx2, Int8Kernel::vnni})
    if (kernel <= best_int8_kernel()) kernels.push_back(kernel);
  return kernels;
}

std::array<int64_t, 4> int8_panel_shape(int64_t out, int64_t in) {
  return {ceil_divide(out, int8_panel_width), ceil_divide(in, int8_group), int8_panel_width,
          int8_group};
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
                        const torch::Tensor& bias) {
  const int64_t rows = x.values.size(0);
  const int64_t out = weight.scales.size(0);
  const int64_t groups = weight.values.size(1);
  const auto y = torch::empty({rows, out}, x.scales.options());
  const auto values = pad_rows(x.values, groups);
  const auto sums = weight.kernel == Int8Kernel::vnni ? sum_rows(values) : std::vector<int32_t>();
  const auto shift = bias.defined() ? bias.contiguous() : bias;
  const auto* shifts = shift.defined() ? shift.const_data_ptr<float>() : nullptr;
  const auto* panels = weight.values.const_data_ptr<int8_t>();
  const auto* scales = weight.scales.const_data_ptr<float>();
  auto* const result = y.mutable_data_ptr<float>();
  const Int8PanelTask all{.x = values.const_data_ptr<int8_t>(),
                          .groups = groups,
                          .rows = rows,
                          .x_scales = x.scales.const_data_ptr<float>(),
                          .x_sums = sums.data(),
                          .panel = panels,
                          .next_panel = panels,
                          .scales = scales,
                          .bias = shifts,
                          .columns = out,
                          .y = result,
                          .y_row = out};
  at::parallel_for(0, weight.values.size(0), 1, [&](int64_t begin, int64_t end) {
    auto task = all;
    for (int64_t first_row = 0; first_row < rows; first_row += rows_per_block) {
      task.rows = std::min(rows_per_block, rows - first_row);
      task.x = all.x + first_row * groups * int8_group;
      task.x_scales = all.x_scales + first_row;
      task.x_sums = all.x_sums + first_row;
      for (int64_t panel = begin; panel < end; ++panel) {
        const int64_t first = panel * int8_panel_width;
        const int64_t next = panel + 1 < end ? panel + 1 : begin;
        task.panel = panels + first * groups * int8_group;
        task.next_panel = panels + next * int8_panel_width * groups * int8_group;
        task.scales = scales + first;
        task.bias = shifts != nullptr ? shifts + first : nullptr;
        task.columns = std::min(int8_panel_width, out - first);
        task.y = result + first_row * out + first;
        multiply_panel(weight.kernel, task);
      }
    }
  });
  return y;
}

}  // namespace tfm

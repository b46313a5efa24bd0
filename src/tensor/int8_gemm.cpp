#include "tfm/tensor/int8_gemm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <vector>

#include "kernels/int8_vnni.h"

namespace tfm {
namespace {

int64_t ceil_divide(int64_t n, int64_t divisor) { return (n + divisor - 1) / divisor; }

/// Returns the values [N, in] int8 with 128 added, because VNNI multiplies unsigned by signed
/// bytes. Each row is padded to a multiple of vnni_group bytes, and the number of rows to a
/// multiple of vnni_tile_rows.
std::vector<uint8_t> add_offset(const torch::Tensor& values) {
  const int64_t in = values.size(1);
  const int64_t row_bytes = ceil_divide(in, vnni_group) * vnni_group;
  std::vector<uint8_t> result(static_cast<std::size_t>(ceil_divide(values.size(0), vnni_tile_rows) *
                                                       vnni_tile_rows * row_bytes));
  const auto* from = values.const_data_ptr<int8_t>();
  for (int64_t row = 0; row < values.size(0); ++row) {
    auto* to = result.data() + row * row_bytes;
    for (int64_t i = 0; i < in; ++i) to[i] = static_cast<uint8_t>(from[row * in + i]) ^ 0x80U;
  }
  return result;
}

}  // namespace

PackedInt8Matrix pack_int8(const torch::Tensor& weight, const torch::Tensor& scales) {
  const int64_t panels = ceil_divide(weight.size(0), vnni_panel_width);
  const int64_t groups = ceil_divide(weight.size(1), vnni_group);
  const auto padded = at::constant_pad_nd(weight, {0, groups * vnni_group - weight.size(1), 0,
                                                   panels * vnni_panel_width - weight.size(0)});
  return {
      .values =
          padded.view({panels, vnni_panel_width, groups, vnni_group}).transpose(1, 2).contiguous(),
      .offsets = padded.to(torch::kInt32).sum(1).mul(128).to(torch::kInt32),
      .scales = scales.contiguous()};
}

torch::Tensor int8_gemm(const torch::Tensor& values, const torch::Tensor& scales,
                        const PackedInt8Matrix& weight, const torch::Tensor& bias) {
  const int64_t rows = values.size(0);
  const int64_t out = weight.scales.size(0);
  const int64_t groups = weight.values.size(1);
  const auto y = torch::empty({rows, out}, scales.options());
  const auto x = add_offset(values);
  const auto shift = bias.defined() ? bias.contiguous() : bias;
  at::parallel_for(0, weight.values.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t first = panel * vnni_panel_width;
      for (int64_t row = 0; row < rows; row += vnni_tile_rows) {
        multiply_panel(
            {.x = x.data() + row * groups * vnni_group,
             .groups = groups,
             .rows = std::min(vnni_tile_rows, rows - row),
             .x_scales = scales.const_data_ptr<float>() + row,
             .panel = weight.values.const_data_ptr<int8_t>() + first * groups * vnni_group,
             .offsets = weight.offsets.const_data_ptr<int32_t>() + first,
             .scales = weight.scales.const_data_ptr<float>() + first,
             .bias = shift.defined() ? shift.const_data_ptr<float>() + first : nullptr,
             .columns = std::min(vnni_panel_width, out - first),
             .y = y.mutable_data_ptr<float>() + row * out + first,
             .y_row = out});
      }
    }
  });
  return y;
}

}  // namespace tfm

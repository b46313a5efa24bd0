#include "tfm/tensor/batch_invariant_gemm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <vector>

#include "kernels/small_gemm.h"

namespace tfm {
namespace {

constexpr int64_t panel_width = 2 * max_lanes;

struct Gemm {
  const float* x;
  int64_t rows;
  int64_t in;
  const float* bias;  // nullptr if there is no bias
  int64_t out;
  float* y;
};

/// Computes the columns of y that belong to the panel, for all rows.
void multiply_panel(const Gemm& gemm, const float* panel, int64_t first_column) {
  const int64_t width = std::min(panel_width, gemm.out - first_column);
  const bool whole = width == panel_width;
  std::vector<float> padded_y(static_cast<std::size_t>(whole ? 0 : gemm.rows * panel_width));
  float* y = whole ? gemm.y + first_column : padded_y.data();
  const int64_t y_row = whole ? gemm.out : panel_width;
  simd_dispatch([&](auto lanes) TFM_BODY {
    small_gemm<decltype(lanes)>({gemm.rows, panel_width, gemm.in}, {gemm.x, gemm.in, 1},
                                {panel, panel_width}, {y, y_row});
  });
  if (whole && gemm.bias == nullptr) return;
  for (int64_t row = 0; row < gemm.rows; ++row) {
    float* to = gemm.y + row * gemm.out + first_column;
    for (int64_t j = 0; j < width; ++j)
      to[j] = y[row * y_row + j] + (gemm.bias != nullptr ? gemm.bias[first_column + j] : 0.0F);
  }
}

}  // namespace

torch::Tensor pack_panels(const torch::Tensor& weight) {
  const int64_t panels = (weight.size(0) + panel_width - 1) / panel_width;
  const auto padded = at::constant_pad_nd(weight, {0, 0, 0, panels * panel_width - weight.size(0)});
  return padded.view({panels, panel_width, weight.size(1)}).transpose(1, 2).contiguous();
}

torch::Tensor batch_invariant_gemm(const torch::Tensor& x, const torch::Tensor& panels,
                                   const torch::Tensor& bias, int64_t out) {
  const auto rows = x.contiguous();
  const auto shift = bias.defined() ? bias.contiguous() : bias;
  const auto y = torch::empty({x.size(0), out}, x.options());
  const Gemm gemm{.x = rows.const_data_ptr<float>(),
                  .rows = x.size(0),
                  .in = x.size(1),
                  .bias = shift.defined() ? shift.const_data_ptr<float>() : nullptr,
                  .out = out,
                  .y = y.mutable_data_ptr<float>()};
  const auto* first = panels.const_data_ptr<float>();
  at::parallel_for(0, panels.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel)
      multiply_panel(gemm, first + panel * panel_width * gemm.in, panel * panel_width);
  });
  return y;
}

}  // namespace tfm

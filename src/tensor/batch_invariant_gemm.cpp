#include "tfm/tensor/batch_invariant_gemm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <vector>

#include "kernels/small_gemm.h"

namespace tfm {
namespace {

constexpr int64_t panel_width = 2 * max_lanes;

struct Product {
  const float* x;
  int64_t rows;
  int64_t in;
  const float* bias;  // or nullptr
  int64_t out;
  float* y;
};

/// The columns of y that the panel has, for all rows.
void multiply_panel(const Product& product, const float* panel, int64_t first_column) {
  const int64_t width = std::min(panel_width, product.out - first_column);
  const bool whole = width == panel_width;
  std::vector<float> wider(static_cast<std::size_t>(whole ? 0 : product.rows * panel_width));
  float* y = whole ? product.y + first_column : wider.data();
  const int64_t y_row = whole ? product.out : panel_width;
  simd_dispatch([&](auto lanes) TFM_BODY {
    small_gemm<decltype(lanes)>({product.rows, panel_width, product.in}, {product.x, product.in, 1},
                                {panel, panel_width}, {y, y_row});
  });
  if (whole && product.bias == nullptr) return;
  for (int64_t row = 0; row < product.rows; ++row) {
    float* to = product.y + row * product.out + first_column;
    for (int64_t j = 0; j < width; ++j)
      to[j] =
          y[row * y_row + j] + (product.bias != nullptr ? product.bias[first_column + j] : 0.0F);
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
  const Product product{.x = rows.const_data_ptr<float>(),
                        .rows = x.size(0),
                        .in = x.size(1),
                        .bias = shift.defined() ? shift.const_data_ptr<float>() : nullptr,
                        .out = out,
                        .y = y.mutable_data_ptr<float>()};
  const auto* first = panels.const_data_ptr<float>();
  at::parallel_for(0, panels.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel)
      multiply_panel(product, first + panel * panel_width * product.in, panel * panel_width);
  });
  return y;
}

}  // namespace tfm

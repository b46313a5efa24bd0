#include "tfm/nn/ops/row_product.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <vector>

#include "tfm/nn/ops/small_product.h"

namespace tfm {
namespace {

constexpr int tile_rows = 8;
constexpr int64_t panel_width = 2 * most_lanes;

template <class L>
TFM_INLINE void multiply_part(const float* x, int64_t row_length, const float* panel, float* sums) {
  constexpr int rows = L::count == most_lanes ? tile_rows : tile_rows / 2;  // as many sums as there are registers for
  for (int64_t row = 0; row < tile_rows; row += rows) {
    for (int64_t column = 0; column < panel_width; column += 2 * L::count) {
      product_tile<L, rows, 2>({x + row * row_length, row_length, 1}, panel + column, panel_width, row_length, sums + row * panel_width + column,
                               panel_width, false);
    }
  }
}

/// Eight rows of x times one panel: sums [8, 32].
void multiply_tile(const float* x, int64_t row_length, const float* panel, float* sums) {
  with_lanes([&](auto lanes) TFM_BODY { multiply_part<decltype(lanes)>(x, row_length, panel, sums); });
}

struct Product {
  const float* x;
  int64_t rows;
  int64_t in;
  const float* bias;  // or nullptr
  int64_t out;
  float* y;
};

/// The columns of y that the panel has, for all rows. The last rows are filled up to a whole tile, so that no row takes another loop.
void multiply_panel(const Product& product, const float* panel, int64_t first_column) {
  float sums[tile_rows * panel_width];
  std::vector<float> last_rows;
  const int64_t width = std::min(panel_width, product.out - first_column);
  for (int64_t row = 0; row < product.rows; row += tile_rows) {
    const int64_t count = std::min<int64_t>(tile_rows, product.rows - row);
    const float* x = product.x + row * product.in;
    if (count < tile_rows) {
      last_rows.assign(static_cast<std::size_t>(tile_rows * product.in), 0.0F);
      std::copy(x, x + count * product.in, last_rows.begin());
      x = last_rows.data();
    }
    multiply_tile(x, product.in, panel, sums);
    for (int64_t i = 0; i < count; ++i) {
      float* y = product.y + (row + i) * product.out + first_column;
      for (int64_t j = 0; j < width; ++j) y[j] = sums[i * panel_width + j] + (product.bias != nullptr ? product.bias[first_column + j] : 0.0F);
    }
  }
}

}  // namespace

torch::Tensor to_panels(const torch::Tensor& weight) {
  const int64_t panels = (weight.size(0) + panel_width - 1) / panel_width;
  const auto padded = at::constant_pad_nd(weight, {0, 0, 0, panels * panel_width - weight.size(0)});
  return padded.view({panels, panel_width, weight.size(1)}).transpose(1, 2).contiguous();
}

torch::Tensor multiply_panels(const torch::Tensor& x, const torch::Tensor& panels, const torch::Tensor& bias, int64_t out) {
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
    for (int64_t panel = begin; panel < end; ++panel) multiply_panel(product, first + panel * panel_width * product.in, panel * panel_width);
  });
  return y;
}

}  // namespace tfm

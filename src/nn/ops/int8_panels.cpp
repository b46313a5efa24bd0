#include "tfm/nn/ops/int8_panels.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tfm {
namespace {

constexpr int64_t panel_width = 32;
constexpr int64_t group = 4;  // numbers that one instruction adds up in each lane
constexpr int64_t tile_rows = 8;

int64_t whole(int64_t n, int64_t of) { return (n + of - 1) / of; }

/// One panel's part of a product of some rows.
struct Task {
  const uint8_t* x;  // [tile_rows, groups, 4]: the rows' values, each plus 128
  int64_t groups;
  int64_t rows;           // of them that count
  const float* x_scales;  // [rows]
  const int8_t* panel;    // [groups, 32, 4]
  const int32_t* offsets;
  const float* scales;
  const float* bias;  // or nullptr
  int64_t columns;    // of the panel that count
  float* y;
  int64_t y_row;  // numbers from one row of y to the next
};

#if defined(__x86_64__)

#define TFM_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

/// The sixteen columns from `first` on of one row.
TFM_VNNI inline void write_row(const Task& task, int64_t row, int64_t first, __m512i sum) {
  const auto count = std::clamp<int64_t>(task.columns - first, 0, 16);
  const auto mask = static_cast<__mmask16>((1U << count) - 1U);
  const __m512i exact = _mm512_sub_epi32(sum, _mm512_loadu_si512(task.offsets + first));
  const __m512 scale = _mm512_mul_ps(_mm512_maskz_loadu_ps(mask, task.scales + first),
                                     _mm512_set1_ps(task.x_scales[row]));
  const __m512 shift =
      task.bias != nullptr ? _mm512_maskz_loadu_ps(mask, task.bias + first) : _mm512_setzero_ps();
  _mm512_mask_storeu_ps(task.y + row * task.y_row + first, mask,
                        _mm512_fmadd_ps(_mm512_maskz_cvtepi32_ps(mask, exact), scale, shift));
}

/// The instruction multiplies numbers without sign by numbers with one: so x comes with 128 added,
/// and the offsets take 128 times W's row sums away.
TFM_VNNI void multiply(const Task& task) {
  __m512i sums[tile_rows][2] = {};
  for (int64_t k = 0; k < task.groups; ++k) {
    const __m512i left = _mm512_loadu_si512(task.panel + k * panel_width * group);
    const __m512i right = _mm512_loadu_si512(task.panel + k * panel_width * group + 64);
#pragma GCC unroll 8
    for (int64_t row = 0; row < tile_rows; ++row) {
      int32_t four = 0;
      std::memcpy(&four, task.x + (row * task.groups + k) * group, sizeof(four));
      const __m512i numbers = _mm512_set1_epi32(four);
      sums[row][0] = _mm512_dpbusd_epi32(sums[row][0], numbers, left);
      sums[row][1] = _mm512_dpbusd_epi32(sums[row][1], numbers, right);
    }
  }
  for (int64_t row = 0; row < task.rows; ++row) {
    write_row(task, row, 0, sums[row][0]);
    write_row(task, row, 16, sums[row][1]);
  }
}

#else

void multiply(const Task&) {}  // has_int8_panels is false

#endif

/// values [N, in] int8 -> each plus 128, rows filled up to whole groups, and their number to whole
/// tiles.
std::vector<uint8_t> with_offset(const torch::Tensor& values) {
  const int64_t in = values.size(1);
  const int64_t row_bytes = whole(in, group) * group;
  std::vector<uint8_t> result(
      static_cast<std::size_t>(whole(values.size(0), tile_rows) * tile_rows * row_bytes));
  const auto* from = values.const_data_ptr<int8_t>();
  for (int64_t row = 0; row < values.size(0); ++row) {
    auto* to = result.data() + row * row_bytes;
    for (int64_t i = 0; i < in; ++i) to[i] = static_cast<uint8_t>(from[row * in + i]) ^ 0x80U;
  }
  return result;
}

}  // namespace

bool has_int8_panels() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx512vnni") != 0 &&
                          __builtin_cpu_supports("avx512bw") != 0 &&
                          __builtin_cpu_supports("avx512vl") != 0;
  return has;
#else
  return false;
#endif
}

Int8Panels to_int8_panels(const torch::Tensor& weight, const torch::Tensor& scales) {
  const int64_t panels = whole(weight.size(0), panel_width);
  const int64_t groups = whole(weight.size(1), group);
  const auto padded = at::constant_pad_nd(
      weight, {0, groups * group - weight.size(1), 0, panels * panel_width - weight.size(0)});
  return {.values = padded.view({panels, panel_width, groups, group}).transpose(1, 2).contiguous(),
          .offsets = padded.to(torch::kInt32).sum(1).mul(128).to(torch::kInt32),
          .scales = scales.contiguous()};
}

torch::Tensor multiply_int8_panels(const torch::Tensor& values, const torch::Tensor& scales,
                                   const Int8Panels& weight, const torch::Tensor& bias) {
  const int64_t rows = values.size(0);
  const int64_t out = weight.scales.size(0);
  const int64_t groups = weight.values.size(1);
  const auto y = torch::empty({rows, out}, scales.options());
  const auto x = with_offset(values);
  const auto shift = bias.defined() ? bias.contiguous() : bias;
  at::parallel_for(0, weight.values.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t first = panel * panel_width;
      for (int64_t row = 0; row < rows; row += tile_rows) {
        multiply({.x = x.data() + row * groups * group,
                  .groups = groups,
                  .rows = std::min(tile_rows, rows - row),
                  .x_scales = scales.const_data_ptr<float>() + row,
                  .panel = weight.values.const_data_ptr<int8_t>() + first * groups * group,
                  .offsets = weight.offsets.const_data_ptr<int32_t>() + first,
                  .scales = weight.scales.const_data_ptr<float>() + first,
                  .bias = shift.defined() ? shift.const_data_ptr<float>() + first : nullptr,
                  .columns = std::min(panel_width, out - first),
                  .y = y.mutable_data_ptr<float>() + row * out + first,
                  .y_row = out});
      }
    }
  });
  return y;
}

}  // namespace tfm

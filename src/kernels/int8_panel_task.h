// What the kernels of int8_panel.h share: a part of a product, some rows of x times one panel of W.
#pragma once

#include <algorithm>
#include <limits>

#include "int8_panel.h"
#include "simd.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define TFM_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"), always_inline))

namespace tfm {

struct Int8PanelTask {
  const int8_t* x;  // this and the other members as in Int8Product
  int64_t groups;
  int64_t rows;
  const float* x_scales;
  const int32_t* x_sums;
  const int8_t* panel;
  const int8_t* next_panel;  // which is loaded into the cache during the multiplication
  const float* scales;
  const float* bias;
  bool relu;
  int64_t columns;
  float* y;
  int64_t y_row;
  RowView<float> maxima;  // of this panel: one number for each row
};

/// Returns the task for `rows` rows from row `first` and for a panel. The next panel is the one
/// that the next task needs, if that is for the same rows or, after the last panel, for later rows.
inline Int8PanelTask panel_task(const Int8Product& product, int64_t first, int64_t rows,
                                int64_t panel) {
  const int64_t panel_bytes = int8_panel_width * product.groups * int8_group;
  const int64_t next = panel + 1 < product.panel_count ? panel + 1 : 0;
  const int64_t column = panel * int8_panel_width;
  const bool wanted = product.maxima.first != nullptr;
  return {
      .x = product.x + first * product.groups * int8_group,
      .groups = product.groups,
      .rows = rows,
      .x_scales = product.x_scales + first,
      .x_sums = product.x_sums + first,
      .panel = product.panels + panel * panel_bytes,
      .next_panel = product.panels + next * panel_bytes,
      .scales = product.scales + column,
      .bias = product.bias != nullptr ? product.bias + column : nullptr,
      .relu = product.relu,
      .columns = std::min(int8_panel_width, product.columns - column),
      .y = product.y + first * product.y_row + column,
      .y_row = product.y_row,
      .maxima = {wanted ? product.maxima.first + first * product.maxima.stride + panel : nullptr,
                 product.maxima.stride}};
}

/// Calls multiply(task) for all panels, with at most `most_rows` rows at a time: few enough that
/// they stay in the L2 cache, and enough that loading a panel takes less time than multiplying it.
template <class Multiply>
__attribute__((always_inline)) inline void for_each_task(const Int8Product& product, int64_t first,
                                                         int64_t end, const Multiply& multiply) {
  constexpr int64_t most_rows = 128;
  for (; first < end; first += most_rows) {
    const int64_t rows = std::min(most_rows, end - first);
    for (int64_t panel = 0; panel < product.panel_count; ++panel)
      multiply(panel_task(product, first, rows, panel));
  }
}

using Int8RowSums = int32_t[int8_panel_width];

/// Scales the sums of one row, adds the bias, applies ReLU if the product has it, and writes the
/// results to y. The function is inlined, because GCC vectorises its loops only if the instruction
/// set of the caller has fused multiply-add. For other callers, __builtin_fmaf gives the same
/// result, but more slowly.
__attribute__((always_inline)) inline void write_row(const Int8PanelTask& task, int64_t row,
                                                     const Int8RowSums& sums) {
  const float x_scale = task.x_scales[row];
  float* y = task.y + row * task.y_row;
  for (int64_t j = 0; j < task.columns; ++j) {
    const float scaled = static_cast<float>(sums[j]) * task.scales[j];
    y[j] = task.bias == nullptr ? scaled * x_scale : __builtin_fmaf(scaled, x_scale, task.bias[j]);
  }
  if (!task.relu) return;
  for (int64_t j = 0; j < task.columns; ++j) y[j] = y[j] < 0 ? 0 : y[j];  // NaN remains NaN
}

#if defined(__x86_64__)

/// Calls write_row for `rows` rows from row `first`, and writes the highest number of each to
/// task.maxima if the task asks for it. Rows of a panel without padding, whose sums are aligned to
/// 64 bytes, are written by AVX-512, which gives the same numbers: adding -0 changes none, and
/// neither does the maximum with -infinity.
TFM_AVX512 inline void write_rows_avx512(const Int8PanelTask& task, int64_t first,
                                         const Int8RowSums* sums, int64_t rows) {
  const bool wants_maxima = task.maxima.first != nullptr;
  if (task.columns < int8_panel_width) {
    for (int64_t row = 0; row < rows; ++row) {
      write_row(task, first + row, sums[row]);
      const float* y = task.y + (first + row) * task.y_row;
      if (wants_maxima)
        task.maxima.first[(first + row) * task.maxima.stride] =
            *std::max_element(y, y + task.columns);
    }
    return;
  }
  constexpr int64_t lanes = 16;
  const __m512 least = _mm512_set1_ps(task.relu ? 0 : -std::numeric_limits<float>::infinity());
  const auto load_bias = [&](int64_t column) TFM_AVX512 {
    return task.bias != nullptr ? _mm512_loadu_ps(task.bias + column) : _mm512_set1_ps(-0.0F);
  };
  const __m512 scales[] = {_mm512_loadu_ps(task.scales), _mm512_loadu_ps(task.scales + lanes)};
  const __m512 bias[] = {load_bias(0), load_bias(lanes)};
  // Local variables, because compilers would read the task again after each number that is written.
  const float* x_scales = task.x_scales + first;
  const int64_t y_row = task.y_row;
  const int64_t stride = task.maxima.stride;
  float* y = task.y + first * y_row;
  float* maxima = wants_maxima ? task.maxima.first + first * stride : nullptr;
  for (int64_t row = 0; row < rows; ++row, y += y_row) {
    const __m512 x_scale = _mm512_set1_ps(x_scales[row]);
    __m512 numbers[2];
#pragma GCC unroll 2
    for (int64_t half = 0; half < 2; ++half) {
      const __m512i whole = _mm512_load_si512(sums[row] + half * lanes);
      const __m512 scaled = _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xffff, whole), scales[half]);
      numbers[half] = _mm512_maskz_max_ps(
          0xffff, least, _mm512_fmadd_ps(scaled, x_scale, bias[half]));  // NaN remains NaN
      _mm512_storeu_ps(y + half * lanes, numbers[half]);
    }
    if (wants_maxima) maxima[row * stride] = reduce(Max()(numbers[0], numbers[1]), Max());
  }
}

#endif

}  // namespace tfm

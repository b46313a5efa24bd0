// What the kernels of int8_panel.h share: a part of a product, some rows of x times one panel of W.
#pragma once

#include <algorithm>

#include "int8_panel.h"

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
  int64_t columns;
  float* y;
  int64_t y_row;
};

/// Returns the task for `rows` rows from row `first` and for a panel. The next panel is the one
/// that the next task needs, if that is for the same rows or, after the last panel, for later rows.
inline Int8PanelTask panel_task(const Int8Product& product, int64_t first, int64_t rows,
                                int64_t panel) {
  const int64_t panel_bytes = int8_panel_width * product.groups * int8_group;
  const int64_t next = panel + 1 < product.panel_count ? panel + 1 : 0;
  const int64_t column = panel * int8_panel_width;
  return {.x = product.x + first * product.groups * int8_group,
          .groups = product.groups,
          .rows = rows,
          .x_scales = product.x_scales + first,
          .x_sums = product.x_sums + first,
          .panel = product.panels + panel * panel_bytes,
          .next_panel = product.panels + next * panel_bytes,
          .scales = product.scales + column,
          .bias = product.bias != nullptr ? product.bias + column : nullptr,
          .columns = std::min(int8_panel_width, product.columns - column),
          .y = product.y + first * product.y_row + column,
          .y_row = product.y_row};
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

/// Scales the sums of one row, adds the bias and writes the results to y. The function is inlined,
/// because GCC vectorises its loops only if the instruction set of the caller has fused
/// multiply-add. For other callers, __builtin_fmaf gives the same result, but more slowly.
__attribute__((always_inline)) inline void write_row(const Int8PanelTask& task, int64_t row,
                                                     const Int8RowSums& sums) {
  const float x_scale = task.x_scales[row];
  float* y = task.y + row * task.y_row;
  if (task.bias == nullptr) {
    for (int64_t j = 0; j < task.columns; ++j)
      y[j] = static_cast<float>(sums[j]) * task.scales[j] * x_scale;
    return;
  }
  for (int64_t j = 0; j < task.columns; ++j)
    y[j] = __builtin_fmaf(static_cast<float>(sums[j]) * task.scales[j], x_scale, task.bias[j]);
}

}  // namespace tfm

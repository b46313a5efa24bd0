// Multiplies int8 matrices with AVX-512 VNNI. The sums are exact.
#pragma once

#include <cstdint>

namespace tfm {

inline constexpr int64_t vnni_panel_width = 32;
/// The number of products that one instruction sums in each lane.
inline constexpr int64_t vnni_group = 4;
inline constexpr int64_t vnni_tile_rows = 8;

/// Multiplies some rows of x by one panel of the weight matrix W.
struct VnniTask {
  const uint8_t* x;        // [vnni_tile_rows, groups, 4]: the int8 values plus 128
  int64_t groups;          // number of groups of 4 columns of x, padding included
  int64_t rows;            // number of rows of x that are not padding
  const float* x_scales;   // [rows]
  const int8_t* panel;     // [groups, 32, 4]: int8 values of W
  const int32_t* offsets;  // [32]: 128 times the row sums of W
  const float* scales;     // [columns]
  const float* bias;       // [columns], or nullptr
  int64_t columns;         // number of columns that are not padding
  float* y;
  int64_t y_row;  // distance between the rows of y, in floats
};

/// Computes the columns of y that belong to the panel. Requires CpuFeatures::vnni (cpu_features.h).
void multiply_panel(const VnniTask& task);

}  // namespace tfm

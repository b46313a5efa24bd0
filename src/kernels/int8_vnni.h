// Products of 8-bit integers by AVX-512 VNNI, whose sums are exact.
#pragma once

#include <cstdint>

namespace tfm {

inline constexpr int64_t vnni_panel_width = 32;
/// numbers that one instruction adds up in each lane
inline constexpr int64_t vnni_group = 4;
inline constexpr int64_t vnni_tile_rows = 8;

/// One panel's part of a product of some rows.
struct VnniTask {
  const uint8_t* x;  // [vnni_tile_rows, groups, 4]: the rows' values, each plus 128
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

/// Only if CpuFeatures::vnni (cpu_features.h).
void multiply_panel(const VnniTask& task);

}  // namespace tfm

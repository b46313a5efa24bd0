// Multiplies int8 matrices. W is packed in panels of 32 columns, which one call multiplies by some
// rows of x. There is one kernel per instruction set. The sums are exact, and all kernels scale
// them in the same way, so their results are equal bit for bit.
#pragma once

#include <cstdint>

namespace tfm {

/// portable needs no instruction set, avx2 needs a simd_width of 8, vnni CpuFeatures::vnni.
enum class Int8Kernel { portable, avx2, vnni };

/// Returns the fastest kernel that this processor supports.
Int8Kernel best_int8_kernel();

inline constexpr int64_t int8_panel_width = 32;
/// The number of neighbouring products that a kernel sums in one lane.
inline constexpr int64_t int8_group = 4;

/// Multiplies some rows of x by one panel of W. No number in x or W is -128.
struct Int8PanelTask {
  const int8_t* x;  // [rows, groups, 4]
  int64_t groups;
  int64_t rows;
  const float* x_scales;  // [rows]
  const int32_t* x_sums;  // [rows]: the sum of each row of x; used only by vnni
  const int8_t* panel;    // [groups, 32, 4]: W, plus 128 (as uint8_t) for vnni
  const float* scales;    // [columns]
  const float* bias;      // [columns], or nullptr
  int64_t columns;        // number of columns that are not padding
  float* y;
  int64_t y_row;  // distance between the rows of y, in floats
};

/// Computes the columns of y that belong to the panel: (sum * scales) * x_scales + bias, where the
/// last multiplication and addition are one fused operation.
void multiply_panel(Int8Kernel kernel, const Int8PanelTask& task);

}  // namespace tfm

// Multiplies int8 matrices: x W^T. W is packed in panels, each for 32 columns of the product. There
// is one kernel per instruction set. The sums are exact, and all kernels scale the sums in the same
// way, so all give the same result, bit for bit.
#pragma once

#include <cstdint>

#include "kernels/row_view.h"

namespace tfm {

/// The kernels. portable runs on every processor, avx2 requires a simd_width of at least 8, vnni
/// requires CpuFeatures::vnni, and amx requires CpuFeatures::amx (cpu_features.h).
enum class Int8Kernel { portable, avx2, vnni, amx };

/// Returns the fastest kernel that this processor supports.
Int8Kernel best_int8_kernel();

/// Returns true if the kernel can find the highest number of each row for each panel, which costs
/// less than reading y again.
inline bool finds_maxima(Int8Kernel kernel) { return kernel >= Int8Kernel::vnni; }

inline constexpr int64_t int8_panel_width = 32;
/// The number of neighbouring products that a kernel sums in one lane.
inline constexpr int64_t int8_group = 4;
/// The number of groups of a panel is a multiple of this, which is the number that the kernel amx
/// multiplies at once.
inline constexpr int64_t int8_group_multiple = 16;

/// The arguments of multiply_panels: the rows of x, and neighbouring panels of W. No number in x or
/// W is -128.
struct Int8Product {
  const int8_t* x;  // [rows, groups, 4]
  int64_t groups;
  int64_t rows;
  const float* x_scales;  // [rows]
  const int32_t* x_sums;  // [rows]: the sum of each row of x, which only the kernel vnni needs
  const int8_t* panels;  // [panel_count, groups, 32, 4]: W; for the kernel vnni, W + 128 as uint8_t
  int64_t panel_count;
  const float* scales;  // [columns]
  const float* bias;    // [columns], or nullptr
  bool relu;            // replaces the negative numbers of y by zeros
  int64_t columns;      // that are not padding; only the last panel has padding
  float* y;
  int64_t y_row;  // distance between the rows of y, in floats
  // where the highest number of each row goes for each panel, [rows, panel_count] with a stride, or
  // nullptr; only for kernels that find it (finds_maxima), and without meaning if a number of y is
  // NaN
  RowView<float> maxima;
};

/// Computes the columns of y that belong to the panels: (sum * scales) * x_scales + bias, with sum
/// = the integer dot product of a row of x and a row of W. With a bias, the last multiplication and
/// the addition are one fused operation.
void multiply_panels(Int8Kernel kernel, const Int8Product& product);

}  // namespace tfm

// Multiplies int8 matrices: x W^T. W is packed in panels, each for 32 columns of the product. One
// call multiplies some rows of x by one panel. There is one kernel per instruction set. The sums
// are exact, and all kernels scale the sums in the same way, so all give the same result, bit for
// bit.
#pragma once

#include <cstdint>

namespace tfm {

/// The kernels. portable runs on every processor, avx2 requires a simd_width of at least 8, and
/// vnni requires CpuFeatures::vnni (cpu_features.h).
enum class Int8Kernel { portable, avx2, vnni };

/// Returns the fastest kernel that this processor supports.
Int8Kernel best_int8_kernel();

inline constexpr int64_t int8_panel_width = 32;
/// The number of neighbouring products that a kernel sums in one lane.
inline constexpr int64_t int8_group = 4;

/// The arguments of multiply_panel: some rows of x and one panel of W. No number in x or W is -128.
struct Int8PanelTask {
  const int8_t* x;  // [rows, groups, 4]
  int64_t groups;
  int64_t rows;
  const float* x_scales;  // [rows]
  const int32_t* x_sums;  // [rows]: the sum of each row of x; only the kernel vnni reads the sums
  const int8_t* panel;    // [groups, 32, 4]: W; for the kernel vnni, W + 128 as uint8_t
  const int8_t* next_panel;  // of the next call; if there is none, any panel in memory
  const float* scales;       // [columns]
  const float* bias;         // [columns], or nullptr
  int64_t columns;           // number of columns that are not padding
  float* y;
  int64_t y_row;  // distance between the rows of y, in floats
};

/// Computes the columns of y that belong to the panel: (sum * scales) * x_scales + bias, with sum =
/// the integer dot product of a row of x and a row of W. With a bias, the last multiplication and
/// the addition are one fused operation. During the computation, the next panel is loaded into the
/// cache.
void multiply_panel(Int8Kernel kernel, const Int8PanelTask& task);

}  // namespace tfm

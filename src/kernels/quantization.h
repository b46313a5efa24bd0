// The inner loops of quantized_matrix.h and int8_gemm.h, for one row: quantisation to 8 bits, and
// the sum of a quantised row.
#pragma once

#include <cstdint>

#include "bf16.h"

namespace tfm {

/// Quantises a row: to[i] becomes x[i] / scale, rounded to the nearest integer. Returns scale = max
/// |x| / 127. If all numbers are 0, writes zeros and returns 0. If a number is not finite, writes
/// zeros and returns NaN.
float quantize_row(const float* x, int64_t width, int8_t* to);
float quantize_row(const Bf16* x, int64_t width, int8_t* to);

/// Returns the sum of all numbers of a quantised row.
int32_t sum_row(const int8_t* row, int64_t width);

}  // namespace tfm

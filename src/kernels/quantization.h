// The inner loops of quantized_matrix.h (tensor): one row to 8 bits, and back to its scale.
#pragma once

#include <cstdint>

#include "bf16.h"

namespace tfm {

/// to[i] = x[i] / scale to the nearest integer, where scale, the result, is max |x| / most. Where a
/// number is not finite: zeros, and NaN.
float quantize_row(const float* x, int64_t width, int most, int8_t* to);
float quantize_row(const Bf16* x, int64_t width, int most, int8_t* to);

/// row[i] = row[i] * scale + bias[i]; bias may be nullptr: zero.
void dequantize_row(float* row, float scale, const float* bias, int64_t width);

}  // namespace tfm

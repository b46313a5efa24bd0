// The inner loops of quantized_matrix.h and of int8_gemm.h: quantises rows to 8 bits.
#pragma once

#include <cstdint>

#include "bf16.h"
#include "row_view.h"

namespace tfm {

/// Where the rows go.
struct QuantizedRows {
  RowView<int8_t> values;
  float* scales;  // [rows]
  int32_t* sums;  // [rows]: the sum of the values of each row
};

/// Quantises each row: its values become x[i] / scale, rounded to the nearest integer, with scale =
/// max |x| / 127. If all numbers of a row are 0, its values and scale are 0. If a number is not
/// finite, the values are 0 and the scale is NaN.
void quantize_rows(RowView<const float> x, int64_t rows, int64_t width, const QuantizedRows& to);
void quantize_rows(RowView<const Bf16> x, int64_t rows, int64_t width, const QuantizedRows& to);

/// Returns the largest absolute value, or NaN if a number is not finite.
float largest_magnitude(const float* x, int64_t width);

}  // namespace tfm

// Symmetric quantisation of a matrix to 8 bits, with one scale per row.
#pragma once

#include <torch/types.h>

namespace tfm {

/// A matrix in 8 bits: row i is scales[i] * values[i].
struct QuantizedMatrix {
  torch::Tensor values;  ///< [N, K] int8
  torch::Tensor scales;  ///< [N] fp32
  torch::Tensor sums;    ///< [N] int32: the sum of each row of values, which int8_gemm needs
};

/// Quantises x [N, K], fp32 or bf16 on the CPU, so that the largest absolute value of each row
/// becomes 127. A row of zeros has the scale 0; a row with a number that is not finite has
/// the scale NaN.
QuantizedMatrix quantize_rows(const torch::Tensor& x);

}  // namespace tfm

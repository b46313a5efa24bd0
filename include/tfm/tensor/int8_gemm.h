// Products of a matrix in 8 bits, on processors that have instructions for sums of int8 products
// (AVX-512 VNNI): for small matrices, as setting up a library's product costs several times what
// they take, and for all where the library has no kernel. Sums are exact. The plain reference is
// the product of the integers.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace tfm {

/// A matrix W [out, in] in 8 bits, laid out for them.
struct PackedInt8Matrix {
  /// [ceil(out / 32), ceil(in / 4), 32, 4] int8, zero where W has no number
  torch::Tensor values;
  torch::Tensor offsets;  ///< [ceil(out / 32) * 32] int32: 128 times the sum of each row of W
  torch::Tensor scales;   ///< [out] fp32: row j of the weight is scales[j] times row j of W
};

/// weight [out, in] int8, scales [out] fp32.
PackedInt8Matrix pack_int8(const torch::Tensor& weight, const torch::Tensor& scales);

/// values [N, in] int8 with a scale a row, scales [N] fp32; bias [out] fp32 or undefined -> [N,
/// out] fp32: scales * (values W^T) * weight's scales + bias.
torch::Tensor int8_gemm(const torch::Tensor& values, const torch::Tensor& scales,
                        const PackedInt8Matrix& weight, const torch::Tensor& bias);

}  // namespace tfm

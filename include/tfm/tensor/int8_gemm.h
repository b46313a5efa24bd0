// Multiplies int8 matrices with tfm's own kernel, on processors with AVX-512 VNNI. The kernel is
// used for small matrices, because setting up oneDNN's GEMM takes several times as long as
// multiplying them, and for all matrices if oneDNN has no int8 kernel for the processor. Sums are
// exact. The reference implementation is a matrix multiplication of integers.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace tfm {

/// A matrix W [out, in] in 8 bits, packed for int8_gemm.
struct PackedInt8Matrix {
  /// [ceil(out / 32), ceil(in / 4), 32, 4] int8, padded with zeros
  torch::Tensor values;
  torch::Tensor offsets;  ///< [ceil(out / 32) * 32] int32: 128 times the sum of each row of W
  torch::Tensor scales;   ///< [out] fp32: row j of the weight is scales[j] times row j of W
};

/// Packs a weight [out, in] int8 with its scales [out] fp32.
PackedInt8Matrix pack_int8(const torch::Tensor& weight, const torch::Tensor& scales);

/// Multiplies values [N, in] int8, with one scale per row in scales [N] fp32, by the weight. bias
/// is [out] fp32 or undefined. Returns [N, out] fp32: scales * (values W^T) * weight.scales + bias.
torch::Tensor int8_gemm(const torch::Tensor& values, const torch::Tensor& scales,
                        const PackedInt8Matrix& weight, const torch::Tensor& bias);

}  // namespace tfm

// Multiplies int8 matrices with tfm's own kernels, one per instruction set (int8_panel.h). All
// kernels give the same result, bit for bit, because the sums are exact and are scaled in the same
// way. The reference implementation is a matrix multiplication of integers.
#pragma once

#include <torch/types.h>

#include <array>
#include <cstdint>
#include <vector>

#include "tfm/tensor/log_sum_exp.h"
#include "tfm/tensor/quantized_matrix.h"

namespace tfm {

enum class Int8Kernel;

/// Returns the kernels that this processor supports, the slowest first.
std::vector<Int8Kernel> int8_kernels();

/// Returns [ceil(out / 32), ceil(in / 4), 32, 4], the shape of a packed matrix W [out, in].
std::array<std::int64_t, 4> int8_panel_shape(std::int64_t out, std::int64_t in);

/// A matrix W [out, in] in 8 bits, packed for int8_gemm.
struct PackedInt8Matrix {
  /// int8_panel_shape: W padded with zeros; for the kernel vnni, 128 is added to each number, which
  /// is then uint8
  torch::Tensor values;
  torch::Tensor scales;  ///< [out] fp32: row j of the weight is scales[j] times row j of W
  Int8Kernel kernel;     ///< the kernel that the matrix was packed for
};

/// Packs a weight [out, in] for `kernel`, which must be one of int8_kernels(). The default is the
/// fastest of these.
PackedInt8Matrix pack_int8(const QuantizedMatrix& weight);
PackedInt8Matrix pack_int8(const QuantizedMatrix& weight, Int8Kernel kernel);

/// Multiplies x [N, in], which is quantised, by the weight. bias is [out] fp32 or undefined.
/// Returns [N, out] fp32: x.scales * weight.scales * (x.values W^T) + bias, with zeros in place of
/// negative numbers if relu is true.
torch::Tensor int8_gemm(const QuantizedMatrix& x, const PackedInt8Matrix& weight,
                        const torch::Tensor& bias, bool relu = false);
/// Does the same for quantize_rows(x), with x [N, in] in fp32 or bf16.
torch::Tensor int8_gemm(const torch::Tensor& x, const PackedInt8Matrix& weight,
                        const torch::Tensor& bias, bool relu = false);

/// The number of columns that a kernel multiplies together.
inline constexpr std::int64_t int8_maxima_block = 32;
/// Does what int8_gemm does, and finds the highest number of each block of each row
/// (block_maxima_rows). Kernels with AVX-512 find the maximum of a block of int8_maxima_block
/// numbers before they write it. Otherwise, the results are read again.
NormalizedLogits int8_gemm_maxima(const torch::Tensor& x, const PackedInt8Matrix& weight,
                                  const torch::Tensor& bias, std::int64_t block_size);

}  // namespace tfm

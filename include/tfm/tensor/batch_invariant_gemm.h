// Batch-invariant matrix multiplication: the result of a row is the same, bit for bit, whatever the
// number of rows, the position of the row and the number of threads. Every dot product is summed
// from its first element to its last. A GEMM library chooses its kernel by the number of rows, so
// its order of summation depends on that number.
// The weight is packed once, whereas a GEMM library packs a part of it in each call. With few rows,
// batch_invariant_gemm therefore takes a third to two thirds of the time of a library. With
// hundreds of rows and a large weight, a library is faster, by a fifth with AVX2. The reference
// implementation is torch::linear.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Packs W [out, in] fp32 into panels of 32 columns of its transpose: [ceil(out / 32), in, 32],
/// with zeros beyond `out`.
torch::Tensor pack_panels(const torch::Tensor& weight);

/// Returns x W^T + bias, [N, out] fp32, for x [N, in] fp32, the panels of W and bias [out] fp32 or
/// undefined. Runs on the CPU, without gradient.
torch::Tensor batch_invariant_gemm(const torch::Tensor& x, const torch::Tensor& panels,
                                   const torch::Tensor& bias, int64_t out);

}  // namespace tfm

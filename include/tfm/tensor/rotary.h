// Rotates queries and keys by their positions (rotary positions, Su et al. 2021, section 3.2). On
// the CPU a fused kernel does this in one pass over the projections, in both directions. On other
// devices, and for other data types, it is done by LibTorch's operations, which are the reference.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Rotates the queries and keys of qkv [N, 3 * H * Dh], and copies the values. In row n, each pair
/// (2i, 2i + 1) of a query or key is rotated by angles[positions[n]][i]. `factors` is the result of
/// rotary_factors() for enough positions. positions [N] int64 and factors are on the device of qkv.
/// Dh must be even.
torch::Tensor rotate_queries_and_keys(const torch::Tensor& qkv, int64_t heads,
                                      const torch::Tensor& positions, const torch::Tensor& factors);

/// The reference implementation of rotate_queries_and_keys, for all devices.
torch::Tensor rotate_queries_and_keys_by_operations(const torch::Tensor& qkv, int64_t heads,
                                                    const torch::Tensor& positions,
                                                    const torch::Tensor& factors);

/// Rotates the queries and keys of qkv [N, 3 * H * Dh] by rows of rotary_factors(): one for each
/// row of qkv, [N, 2, Dh], or one for all rows, [1, 2, Dh], in the data type of qkv.
torch::Tensor rotate_by_factors(const torch::Tensor& qkv, int64_t heads, const torch::Tensor& rows);

/// Returns the factors of the angles [P, Dh / 2] of P positions: [P, 2, Dh] fp32, the cosines of
/// each pair twice, and its sine with both signs (src/kernels/rotary_kernel.h).
torch::Tensor rotary_factors(const torch::Tensor& angles);

}  // namespace tfm

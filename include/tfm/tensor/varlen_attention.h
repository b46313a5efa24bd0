// Computes multi-head attention over sentences without padding (unpadded_layout.h) on the CPU:
// softmax(Q K^T / sqrt(Dh)) V for each sentence and head. It needs no padding, no masks and no
// rearranged copies, and does not store the probabilities. It takes fp32 and bf16 (has_tfm_kernels,
// device.h). The reference implementation is
// scaled_dot_product_attention (nn/attention.h) with masks.
#pragma once

#include <torch/types.h>

#include "tfm/tensor/unpadded_layout.h"

namespace tfm {

/// Computes self-attention over qkv [N, 3 * H * Dh], the queries, keys and values. Returns [N, H *
/// Dh], with zeros in rows beyond the last sentence. If `causal`, a token does not attend to later
/// tokens.
torch::Tensor varlen_self_attention(const torch::Tensor& qkv, int64_t heads,
                                    const UnpaddedLayout& layout, bool causal);

/// Computes the cross-attention of queries [N, H * Dh] over memory [M, 2 * H * Dh], the keys and
/// values. Each sentence of the queries attends to the sentence with the same number in the memory.
/// Returns [N, H * Dh].
torch::Tensor varlen_cross_attention(const torch::Tensor& queries, const torch::Tensor& memory,
                                     int64_t heads, const UnpaddedLayout& query_layout,
                                     const UnpaddedLayout& memory_layout);

}  // namespace tfm

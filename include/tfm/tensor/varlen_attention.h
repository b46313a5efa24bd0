// Multi-head attention over sentences without padding (unpadded_layout.h) on the CPU: softmax(Q K^T
// / sqrt(Dh)) V for each sentence and head, without padding, masks, probabilities or rearranged
// copies. Its plain reference is scaled_dot_product_attention (attention.h) with masks.
#pragma once

#include <torch/types.h>

#include "tfm/tensor/unpadded_layout.h"

namespace tfm {

/// Whether there is a kernel for such tensors: fp32 or bf16, on the CPU.
bool supports_varlen_attention(const torch::Tensor& x);

/// parts [N, 3 * H * Dh]: queries, keys and values -> [N, H * Dh]. causal: a token sees none that
/// follows it. Zero in rows of no sentence.
torch::Tensor varlen_self_attention(const torch::Tensor& parts, int64_t heads,
                                    const UnpaddedLayout& layout, bool causal);

/// queries [N, H * Dh], memory [M, 2 * H * Dh]: keys and values -> [N, H * Dh]; each sentence of
/// the queries attends to the memory's of the same number.
torch::Tensor varlen_cross_attention(const torch::Tensor& queries, const torch::Tensor& memory,
                                     int64_t heads, const UnpaddedLayout& query_layout,
                                     const UnpaddedLayout& memory_layout);

}  // namespace tfm

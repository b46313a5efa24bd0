// Computes the attention of one query per row, as in each decoding step, over keys anywhere in
// memory. Each row lists the addresses of its keys, so a search can reorder, repeat and drop rows
// without moving keys or values. The reference implementation is scaled_dot_product_attention
// (nn/attention.h).
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace tfm {

/// Appends the addresses of the keys that a row of the queries attends to. Each key has H * Dh
/// elements of the data type of the queries, and is directly followed by its value.
using KeyLookup = std::function<void(int64_t row, std::vector<const void*>& keys)>;

/// Computes the attention of each row of queries [R, ...], fp32 or bf16 on the CPU. Only the first
/// H * Dh columns are read, with H = heads and Dh = width. Returns [R, H * Dh], with zeros for rows
/// without keys. This is for inference only, without gradients.
torch::Tensor decode_attention(const torch::Tensor& queries, int64_t heads, int64_t width,
                               const KeyLookup& list_keys);

}  // namespace tfm

// Attention of single queries, one a row, over keys that lie anywhere: what decoding does at each
// step. Every row names its keys one by one, so a search can reorder, repeat and drop rows without
// moving a key or a value. The plain reference is scaled_dot_product_attention (attention.h).
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace tfm {

/// Adds the places of the keys that a row of the queries sees: each key is H * Dh numbers of the
/// queries' type, its value's right behind it.
using KeyLookup = std::function<void(int64_t row, std::vector<const void*>& keys)>;

/// The first H * Dh columns of queries [R, ...] (fp32 or bf16, on the CPU) -> [R, H * Dh]; zero in
/// a row that sees no key. For inference: without gradient.
torch::Tensor decode_attention(const torch::Tensor& queries, int64_t heads, int64_t width,
                               const KeyLookup& seen);

}  // namespace tfm

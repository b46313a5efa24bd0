// Computes the attention of one query per row, as in each decoding step, over keys anywhere in
// memory. Each row lists the addresses of its keys, so a search can reorder, repeat and drop rows
// without moving keys or values. The reference implementation is scaled_dot_product_attention
// (nn/attention.h).
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace tfm {

/// Rounds keys and values [N, 2 * H * Dh] fp32 to 8 bits, with one scale for the key and one for
/// the value of each row. Returns [N, 2 * H * Dh + 8] int8; the last 8 bytes of a row are its two
/// scales, in fp32.
torch::Tensor quantize_key_values(const torch::Tensor& key_values);

/// Appends the addresses of the keys that a row of the queries attends to. Each key has H * Dh
/// elements and is directly followed by its value, or it begins a row of quantize_key_values.
using KeyLookup = std::function<void(int64_t row, std::vector<const void*>& keys)>;

/// The number and the width Dh of the heads, and the data type of keys and values: that of the
/// queries, or int8 (quantize_key_values) for queries in fp32.
struct DecodeHeads {
  int64_t count;
  int64_t width;
  torch::ScalarType key_type;
};

/// Computes the attention of each row of queries [R, ...], fp32 or bf16 on the CPU. Only the first
/// H * Dh columns are read. Returns [R, H * Dh], with zeros for rows without keys. This is for
/// inference only, without gradients.
torch::Tensor decode_attention(const torch::Tensor& queries, const DecodeHeads& heads,
                               const KeyLookup& list_keys);

}  // namespace tfm

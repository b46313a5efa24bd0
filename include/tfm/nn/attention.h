// Multi-head attention (Vaswani et al. 2017, section 3.2): softmax(Q K^T / sqrt(Dh)) V, once per
// head. One module serves self-attention (memory = query) and cross-attention (memory = encoder
// output), both over whole sentences and step by step with a KvCache.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <memory>

#include "tfm/config/config.h"
#include "tfm/nn/attention_mask.h"
#include "tfm/nn/kv_cache.h"
#include "tfm/nn/layers.h"
#include "tfm/nn/positional_encoding.h"
#include "tfm/nn/token_layout.h"
#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/linear_part.h"

namespace tfm {

/// Keys and values of one attention, split into heads: [B, H, S, Dh] each.
struct KeyValues {
  torch::Tensor keys;
  torch::Tensor values;
};

/// Returns softmax(Q K^T / sqrt(Dh)) V, [B, H, T, Dh], for queries [B, H, T, Dh]. The fused kernels
/// are tested against this function; unlike them, it can apply dropout and return weights. If
/// `weights` is not nullptr, it receives the probabilities [B, H, T, S] before dropout. A query
/// that may not attend to any key has zero weights and a zero result.
torch::Tensor scaled_dot_product_attention(const torch::Tensor& queries, const KeyValues& memory,
                                           const AttentionMask& mask, double dropout = 0,
                                           torch::Tensor* weights = nullptr);

/// The kinds of attention: over all tokens of the query's own sentence, over its tokens up to the
/// query's position, and over another sentence. Self-attention and cross-attention also differ in
/// their projections.
enum class AttentionKind { self, causal_self, cross };

/// The queries of one attention and the keys and values that they attend to, split into heads.
struct QueryKeyValues {
  torch::Tensor queries;  ///< [B, H, T, Dh]
  KeyValues memory;
};

// Functions that split projections into heads, and join heads. On the CPU, the heads are fp32.

/// Returns x in the data type of attention: fp32 on the CPU, otherwise that of x.
torch::Tensor to_attention_type(const torch::Tensor& x);
/// Splits x [B, T, H * Dh] into heads, [B, H, T, Dh].
torch::Tensor split_heads(const torch::Tensor& x, int64_t heads);
/// Splits x [B, S, 2 * H * Dh] into keys and values.
KeyValues split_key_values(const torch::Tensor& x, int64_t heads);
/// Splits x [B, T, 3 * H * Dh] into queries, keys and values.
QueryKeyValues split_query_key_values(const torch::Tensor& x, int64_t heads);
/// Joins the heads of x [B, H, T, Dh] to [B, T, H * Dh].
torch::Tensor join_heads(const torch::Tensor& x);

class MultiHeadAttentionImpl : public torch::nn::Module {
 public:
  MultiHeadAttentionImpl(const ModelConfig& config, AttentionKind kind, LayerFactory& layers);

  /// Computes cross-attention: query [B, T, D], memory [B, S, D] -> [B, T, D]. Without padding,
  /// query is [N, D], memory [M, D], and the result [N, D]. For weights, which are available only
  /// with padding, see scaled_dot_product_attention.
  torch::Tensor forward(const ForwardContext& context, const torch::Tensor& query,
                        const TokenLayout& query_layout, const torch::Tensor& memory,
                        const TokenLayout& memory_layout, torch::Tensor* weights = nullptr);

  /// Computes self-attention, with one projection for queries, keys and values: x [B, T, D] -> [B,
  /// T, D]. Without padding, x [N, D] -> [N, D].
  torch::Tensor self_forward(const ForwardContext& context, const torch::Tensor& x,
                             const TokenLayout& layout, torch::Tensor* weights = nullptr);

  /// Computes self-attention of one new position per row: x [R, D] -> [R, D]. Adds the keys and
  /// values of x to the cache. `layer` is the number of this layer in the cache.
  torch::Tensor self_attention_step(const ForwardContext& context, const torch::Tensor& x,
                                    KvCache& cache, std::size_t layer) const;
  /// Computes cross-attention of one new position per row: x [R, D] -> [R, D].
  torch::Tensor cross_attention_step(const ForwardContext& context, const torch::Tensor& x,
                                     KvCache& cache, std::size_t layer) const;

  /// Projects memory [..., D] to keys and values, [..., 2 * H * Dh].
  torch::Tensor project_kv(const ForwardContext& context, const torch::Tensor& memory) const;

 private:
  torch::Tensor attend(const torch::Tensor& queries, const KeyValues& memory,
                       const AttentionMask& mask, torch::Tensor* weights) const;

  int64_t heads_;
  bool causal_;
  std::shared_ptr<RotaryPositions> rotary_;  // null with other positions and in cross-attention
  int64_t inner_size_;                       // H * Dh
  double dropout_;
  // qkv_, query_ and kv_ are parts of in_weight [3 * H * Dh, D], whose rows are the query, key and
  // value projections, in this order. Self-attention has only qkv_, with all rows; cross-attention
  // has query_ and kv_.
  LinearPart qkv_;
  LinearPart query_;
  LinearPart kv_;
  LinearPart output_;
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace tfm

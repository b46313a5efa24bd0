// Multi-head attention (Vaswani et al. 2017, section 3.2): softmax(Q K^T / sqrt(Dh)) V, once per
// head. One module serves self-attention (memory = query) and cross-attention (memory = encoder
// output), of whole sentences and, step by step, with a KvCache.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <optional>

#include "tfm/config/config.h"
#include "tfm/nn/attention_mask.h"
#include "tfm/nn/kv_cache.h"
#include "tfm/nn/layers.h"
#include "tfm/nn/token_layout.h"
#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/linear_part.h"

namespace tfm {

/// Keys and values of one attention, split into heads: [B, H, S, Dh] each.
struct KeyValues {
  torch::Tensor keys;
  torch::Tensor values;
};

/// softmax(Q K^T / sqrt(Dh)) V, the plain form: queries [B, H, T, Dh] -> [B, H, T, Dh].
/// weights, where given, receives the probabilities [B, H, T, S] (before dropout); a query that may
/// see no key has zero weights and a zero result.
torch::Tensor scaled_dot_product_attention(const torch::Tensor& queries, const KeyValues& memory,
                                           const AttentionMask& visible, double dropout = 0,
                                           torch::Tensor* weights = nullptr);

/// Whether queries attend to their own sentence, to what of it is not in the future, or to another
/// sentence. The products that self-attention and cross-attention compute differ.
enum class AttentionKind { self, causal_self, cross };

/// The queries of one attention and the keys and values that they attend to, split into heads.
struct QueryKeyValues {
  torch::Tensor queries;  ///< [B, H, T, Dh]
  KeyValues memory;
};

// Projections as attention takes them: on the CPU in fp32, split into heads.

/// [B, T, H * Dh] -> [B, H, T, Dh]
torch::Tensor split_heads(const torch::Tensor& x, int64_t heads);
/// [B, S, 2 * H * Dh]
KeyValues split_key_values(const torch::Tensor& x, int64_t heads);
/// x [B, T, 3 * H * Dh]. first_position: of x's first token, if positions are rotary.
QueryKeyValues split_query_key_values(const torch::Tensor& x, int64_t heads,
                                      std::optional<int64_t> first_position);
/// [B, H, T, Dh] -> [B, T, H * Dh]
torch::Tensor join_heads(const torch::Tensor& x);

class MultiHeadAttentionImpl : public torch::nn::Module {
 public:
  MultiHeadAttentionImpl(const ModelConfig& config, AttentionKind kind, LayerFactory& layers);

  /// Cross-attention, as both layouts say: query [B, T, D], memory [B, S, D] -> [B, T, D], or
  /// without padding [N, D], [M, D] -> [N, D]. weights: see scaled_dot_product_attention; not
  /// available without padding.
  torch::Tensor forward(const ForwardContext& context, const torch::Tensor& query,
                        const TokenLayout& query_layout, const torch::Tensor& memory,
                        const TokenLayout& memory_layout, torch::Tensor* weights = nullptr);

  /// Self-attention: one projection gives queries, keys and values. x [B, T, D] -> [B, T, D], or
  /// without padding [N, D] -> [N, D].
  torch::Tensor self_forward(const ForwardContext& context, const torch::Tensor& x,
                             const TokenLayout& layout, torch::Tensor* weights = nullptr);

  /// Self-attention of one new position over a cache, in which this is layer number `layer`, and
  /// which keeps what this projects: x [R, D] -> [R, D].
  torch::Tensor self_attention_step(const ForwardContext& context, const torch::Tensor& x,
                                    KvCache& cache, std::size_t layer) const;
  /// Cross-attention of one new position: x [R, D] -> [R, D].
  torch::Tensor cross_attention_step(const ForwardContext& context, const torch::Tensor& x,
                                     KvCache& cache, std::size_t layer) const;

  /// memory [..., D] -> its keys and values side by side, [..., 2 * H * Dh].
  torch::Tensor project_kv(const ForwardContext& context, const torch::Tensor& memory) const;

 private:
  torch::Tensor attend(const torch::Tensor& queries, const KeyValues& memory,
                       const AttentionMask& visible, torch::Tensor* weights) const;

  int64_t heads_;
  bool causal_;
  bool rotary_;
  int64_t inner_size_;  // H * Dh
  double dropout_;
  // Parts of in_weight [3 * H * Dh, D], whose rows are those of the query, key and value
  // projections, in this order: all three of self-attention; of cross-attention the query's, and
  // the key's and the value's.
  LinearPart qkv_;
  LinearPart query_;
  LinearPart kv_;
  LinearPart output_;
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace tfm

// Multi-head attention (Vaswani et al. 2017, section 3.2): softmax(Q K^T / sqrt(Dh)) V, once per
// head. One module serves self-attention (memory = query) and cross-attention (memory = encoder
// output), in training and, through project_kv and attend, with cached keys and values.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <functional>

#include "tfm/config/config.h"
#include "tfm/nn/attention_mask.h"
#include "tfm/nn/indirect_kv_cache.h"

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

class MultiHeadAttentionImpl : public torch::nn::Module {
 public:
  explicit MultiHeadAttentionImpl(const ModelConfig& config);

  /// query [B, T, D], memory [B, S, D] -> [B, T, D], or packed as `visible` says, [N, D] and [M, D]
  /// -> [N, D]. weights: see scaled_dot_product_attention; there are none of packed tokens.
  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& memory,
                        const AttentionMask& visible, torch::Tensor* weights = nullptr);

  /// Self-attention: one projection gives queries, keys and values. x [B, T, D] -> [B, T, D], or
  /// packed, [N, D] -> [N, D].
  torch::Tensor self_forward(const torch::Tensor& x, const AttentionMask& visible,
                             torch::Tensor* weights = nullptr);

  /// Self-attention of one new position x [R, 1, D], whose own keys and values it hands to
  /// `remember`, which returns those of all positions so far. position: of x. -> [R, 1, D]
  torch::Tensor self_attention_step(const torch::Tensor& x, int64_t position,
                                    const std::function<KeyValues(const KeyValues&)>& remember);

  /// The same over a IndirectKvCache, which keeps what this layer projects: x [R, D] -> [R, D]. Not
  /// for rotary positions.
  torch::Tensor self_attention_step(const torch::Tensor& x, IndirectKvCache& cache,
                                    std::size_t layer) const;
  /// Cross-attention of one new position: x [R, D] -> [R, D].
  torch::Tensor cross_attention_step(const torch::Tensor& x, const IndirectKvCache& cache,
                                     std::size_t layer) const;

  /// memory [..., D] -> its keys and values side by side, [..., 2 * H * Dh].
  torch::Tensor project_kv_fused(const torch::Tensor& memory) const {
    return project(memory, 1, 2);
  }

  /// memory [B, S, D] -> keys and values [B, H, S, Dh].
  KeyValues project_kv(const torch::Tensor& memory) const;

  /// Attention of query [B, T, D] over projected memory -> [B, T, D].
  torch::Tensor attend(const torch::Tensor& query, const KeyValues& memory,
                       const AttentionMask& visible, torch::Tensor* weights = nullptr);

 private:
  torch::Tensor project(const torch::Tensor& x, int64_t first_block, int64_t blocks) const;
  torch::Tensor project_output(const torch::Tensor& context) const;
  torch::Tensor split_heads(const torch::Tensor& x) const;
  torch::Tensor attend_heads(const torch::Tensor& queries, const KeyValues& memory,
                             const AttentionMask& visible, torch::Tensor* weights);

  KeyValues split_qkv(torch::Tensor& queries, const torch::Tensor& x, int64_t position) const;

  int64_t heads_;
  bool rotary_;
  int64_t inner_size_;  // H * Dh
  double dropout_;
  // [3 * H * Dh, D]: rows of the query, key and value projections, in this order
  torch::Tensor in_weight_;
  torch::Tensor in_bias_;  // [3 * H * Dh], or undefined
  torch::nn::Linear output_;
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace tfm

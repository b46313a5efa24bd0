#include "tfm/nn/attention.h"

#include <cmath>

#include "tfm/tensor/device.h"
#include "tfm/tensor/linear.h"
#include "tfm/tensor/varlen_attention.h"

namespace tfm {

torch::Tensor scaled_dot_product_attention(const torch::Tensor& queries, const KeyValues& memory,
                                           const AttentionMask& mask, double dropout,
                                           torch::Tensor* weights) {
  // [B, H, T, Dh] x [B, H, Dh, S] -> [B, H, T, S]
  auto scores = torch::matmul(queries, memory.keys.transpose(-2, -1)) /
                std::sqrt(static_cast<double>(queries.size(-1)));
  const auto dense_mask = mask.materialize(queries.size(-2), queries.device());
  torch::Tensor probabilities;
  if (dense_mask.defined()) {
    scores = scores.masked_fill(dense_mask.logical_not(), -std::numeric_limits<double>::infinity());
    // For a row of -inf, softmax would return NaN, but _safe_softmax returns zeros.
    probabilities = at::_safe_softmax(scores, -1);
  } else {
    probabilities = scores.softmax(-1);
  }
  if (weights != nullptr) *weights = probabilities;
  if (dropout > 0) probabilities = torch::dropout(probabilities, dropout, /*train=*/true);
  // [B, H, T, S] x [B, H, S, Dh] -> [B, H, T, Dh]
  return torch::matmul(probabilities, memory.values);
}

torch::Tensor to_attention_type(const torch::Tensor& x) {
  return attends_faster_in_fp32(x) ? x.to(torch::kFloat32) : x;
}

torch::Tensor split_heads(const torch::Tensor& x, int64_t heads) {
  return to_attention_type(x).unflatten(-1, {heads, -1}).transpose(1, 2);
}

KeyValues split_key_values(const torch::Tensor& x, int64_t heads) {
  const auto parts = to_attention_type(x).chunk(2, -1);
  return {split_heads(parts[0], heads), split_heads(parts[1], heads)};
}

QueryKeyValues split_query_key_values(const torch::Tensor& x, int64_t heads) {
  const auto parts = to_attention_type(x).chunk(3, -1);
  return {split_heads(parts[0], heads),
          {split_heads(parts[1], heads), split_heads(parts[2], heads)}};
}

torch::Tensor join_heads(const torch::Tensor& x) { return x.transpose(1, 2).flatten(2); }

MultiHeadAttentionImpl::MultiHeadAttentionImpl(const ModelConfig& config, AttentionKind kind,
                                               LayerFactory& layers)
    : heads_(config.heads),
      causal_(kind == AttentionKind::causal_self),
      inner_size_(config.heads * config.resolved_head_size()),
      dropout_(config.attention_dropout) {
  const auto weight =
      register_parameter("in_weight", layers.weight({3 * inner_size_, config.hidden_size}));
  const auto output =
      register_module("output", layers.linear(inner_size_, config.hidden_size, config.bias));
  torch::Tensor bias;
  if (config.bias) bias = register_parameter("in_bias", torch::zeros({3 * inner_size_}));
  if (kind == AttentionKind::cross) {
    query_ = layers.parts().add(weight, bias, 0, inner_size_);
    kv_ = layers.parts().add(weight, bias, inner_size_, 3 * inner_size_);
  } else {
    qkv_ = layers.parts().add(weight, bias);
    if (config.positions == Positions::rotary)
      rotary_ = std::make_shared<RotaryPositions>(config.resolved_head_size());
  }
  output_ = layers.add(output);
}

/// Computes attention and joins the heads: queries [B, H, T, Dh] -> [B, T, H * Dh].
torch::Tensor MultiHeadAttentionImpl::attend(const torch::Tensor& queries, const KeyValues& memory,
                                             const AttentionMask& mask,
                                             torch::Tensor* weights) const {
  const double dropout = is_training() ? dropout_ : 0.0;
  if (weights != nullptr || dropout > 0)
    return join_heads(scaled_dot_product_attention(queries, memory, mask, dropout, weights));
  if (mask.mask.defined()) {  // the fused kernels take either a mask or the causal flag
    const auto dense_mask = mask.materialize(queries.size(-2), queries.device());
    return join_heads(
        at::scaled_dot_product_attention(queries, memory.keys, memory.values, dense_mask));
  }
  return join_heads(
      at::scaled_dot_product_attention(queries, memory.keys, memory.values, {}, 0.0, mask.causal));
}

torch::Tensor MultiHeadAttentionImpl::forward(
    const ForwardContext& context, const torch::Tensor& query, const TokenLayout& query_layout,
    const torch::Tensor& memory, const TokenLayout& memory_layout, torch::Tensor* weights) {
  const auto parts =
      torch::GradMode::is_enabled() ? split_parts(query_, kv_) : SplitLinearParts{query_, kv_};
  const auto key_values = linear(context, memory, parts.second);
  const auto queries = linear(context, query, parts.first);
  if (const auto* unpadded = std::get_if<UnpaddedLayout>(&query_layout)) {
    const auto attended = varlen_cross_attention(queries, key_values, heads_, *unpadded,
                                                 std::get<UnpaddedLayout>(memory_layout));
    return linear(context, attended, output_);
  }
  const AttentionMask mask{.mask = std::get<PaddedLayout>(memory_layout).mask};
  const auto attended =
      attend(split_heads(queries, heads_), split_key_values(key_values, heads_), mask, weights);
  return linear(context, attended, output_);
}

torch::Tensor MultiHeadAttentionImpl::self_forward(const ForwardContext& context,
                                                   const torch::Tensor& x,
                                                   const TokenLayout& layout,
                                                   torch::Tensor* weights) {
  auto qkv = linear(context, x, qkv_);
  if (const auto* unpadded = std::get_if<UnpaddedLayout>(&layout)) {
    if (rotary_) qkv = rotary_->rotate(qkv, unpadded->positions(), unpadded->padded_length());
    return linear(context, varlen_self_attention(qkv, heads_, *unpadded, causal_), output_);
  }
  if (rotary_) {
    const int64_t length = qkv.size(1);
    const auto positions = torch::arange(length, qkv.device()).repeat({qkv.size(0)});
    qkv = rotary_->rotate(qkv.flatten(0, 1), positions, length).view_as(qkv);
  }
  const AttentionMask mask{.mask = std::get<PaddedLayout>(layout).mask, .causal = causal_};
  const auto split = split_query_key_values(qkv, heads_);
  return linear(context, attend(split.queries, split.memory, mask, weights), output_);
}

torch::Tensor MultiHeadAttentionImpl::self_attention_step(const ForwardContext& context,
                                                          const torch::Tensor& x, KvCache& cache,
                                                          std::size_t layer) const {
  auto qkv = linear(context, x, qkv_);
  if (rotary_) {
    const auto lengths = cache.row_positions();
    qkv = lengths.defined() ? rotary_->rotate(qkv, lengths - 1, cache.positions())
                            : rotary_->rotate_at(qkv, cache.positions() - 1);
  }
  return linear(context, cache.self_attention(layer, qkv), output_);
}

torch::Tensor MultiHeadAttentionImpl::cross_attention_step(const ForwardContext& context,
                                                           const torch::Tensor& x, KvCache& cache,
                                                           std::size_t layer) const {
  return linear(context, cache.cross_attention(layer, linear(context, x, query_)), output_);
}

torch::Tensor MultiHeadAttentionImpl::project_kv(const ForwardContext& context,
                                                 const torch::Tensor& memory) const {
  return linear(context, memory, kv_);
}

}  // namespace tfm

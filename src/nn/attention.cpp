#include "tfm/nn/attention.h"

#include <cmath>

#include "tfm/nn/layers.h"
#include "tfm/nn/positional_encoding.h"
#include "tfm/tensor/linear.h"
#include "tfm/tensor/varlen_attention.h"

namespace tfm {

torch::Tensor scaled_dot_product_attention(const torch::Tensor& queries, const KeyValues& memory,
                                           const AttentionMask& visible, double dropout,
                                           torch::Tensor* weights) {
  // [B, H, T, Dh] x [B, H, Dh, S] -> [B, H, T, S]
  auto scores = torch::matmul(queries, memory.keys.transpose(-2, -1)) /
                std::sqrt(static_cast<double>(queries.size(-1)));
  const auto mask = visible.materialize(queries.size(-2), queries.device());
  torch::Tensor probabilities;
  if (mask.defined()) {
    scores = scores.masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity());
    probabilities = at::_safe_softmax(scores, -1);  // all -inf: zeros, where softmax gives NaN
  } else {
    probabilities = scores.softmax(-1);
  }
  if (weights != nullptr) *weights = probabilities;
  if (dropout > 0) probabilities = torch::dropout(probabilities, dropout, /*train=*/true);
  // [B, H, T, S] x [B, H, S, Dh] -> [B, H, T, Dh]
  return torch::matmul(probabilities, memory.values);
}

namespace {

/// On the CPU, sentences are too short for bf16: LibTorch's kernel sets up each of its small
/// products anew, which costs more than the product.
torch::Tensor for_attention(const torch::Tensor& x) {
  return x.is_cpu() ? x.to(torch::kFloat32) : x;
}

}  // namespace

MultiHeadAttentionImpl::MultiHeadAttentionImpl(const ModelConfig& config, AttentionKind kind,
                                               LinearParts& parts)
    : heads_(config.heads),
      rotary_(config.positions == Positions::rotary),
      inner_size_(config.heads * config.resolved_head_size()),
      dropout_(config.attention_dropout) {
  const auto weight =
      register_parameter("in_weight", make_weight({3 * inner_size_, config.hidden_size}));
  const auto output =
      register_module("output", make_linear(inner_size_, config.hidden_size, config.bias));
  torch::Tensor bias;
  if (config.bias) bias = register_parameter("in_bias", torch::zeros({3 * inner_size_}));
  if (kind == AttentionKind::self) {
    qkv_ = parts.add(weight, bias);
  } else {
    query_ = parts.add(weight, bias, 0, inner_size_);
    kv_ = parts.add(weight, bias, inner_size_, 3 * inner_size_);
  }
  output_ = add_linear(parts, output);
}

/// [B, T, H * Dh] -> [B, H, T, Dh]
torch::Tensor MultiHeadAttentionImpl::split_heads(const torch::Tensor& x) const {
  return x.unflatten(-1, {heads_, -1}).transpose(1, 2);
}

torch::Tensor MultiHeadAttentionImpl::attend_heads(const ForwardContext& context,
                                                   const torch::Tensor& queries,
                                                   const KeyValues& memory,
                                                   const AttentionMask& visible,
                                                   torch::Tensor* weights) {
  const double dropout = is_training() ? dropout_ : 0.0;
  torch::Tensor attended;
  if (weights != nullptr || dropout > 0) {
    attended = scaled_dot_product_attention(queries, memory, visible, dropout, weights);
  } else if (visible.mask.defined()) {  // the fused kernels take either a mask or causality
    attended =
        at::scaled_dot_product_attention(queries, memory.keys, memory.values,
                                         visible.materialize(queries.size(-2), queries.device()));
  } else {
    attended = at::scaled_dot_product_attention(queries, memory.keys, memory.values, {}, 0.0,
                                                visible.causal);
  }
  // [B, H, T, Dh] -> [B, T, H * Dh] -> [B, T, D]
  return linear(context, attended.transpose(1, 2).flatten(2), output_);
}

torch::Tensor MultiHeadAttentionImpl::forward(const ForwardContext& context,
                                              const torch::Tensor& query,
                                              const torch::Tensor& memory,
                                              const AttentionMask& visible,
                                              torch::Tensor* weights) {
  if (visible.queries == nullptr)
    return attend(context, query, project_kv(context, memory), visible, weights);
  const auto attended =
      varlen_cross_attention(linear(context, query, query_), project_kv_fused(context, memory),
                             heads_, *visible.queries, *visible.memory);
  return linear(context, attended, output_);
}

torch::Tensor MultiHeadAttentionImpl::self_forward(const ForwardContext& context,
                                                   const torch::Tensor& x,
                                                   const AttentionMask& visible,
                                                   torch::Tensor* weights) {
  if (visible.queries != nullptr) {
    const auto attended =
        varlen_self_attention(linear(context, x, qkv_), heads_, *visible.queries, visible.causal);
    return linear(context, attended, output_);
  }
  torch::Tensor queries;
  const auto memory = split_qkv(context, queries, x, 0);
  return attend_heads(context, queries, memory, visible, weights);
}

torch::Tensor MultiHeadAttentionImpl::self_attention_step(
    const ForwardContext& context, const torch::Tensor& x, int64_t position,
    const std::function<KeyValues(const KeyValues&)>& remember) {
  torch::Tensor queries;
  const auto memory = remember(split_qkv(context, queries, x, position));
  return attend_heads(context, queries, memory, AttentionMask{}, nullptr);
}

torch::Tensor MultiHeadAttentionImpl::self_attention_step(const ForwardContext& context,
                                                          const torch::Tensor& x,
                                                          IndirectKvCache& cache,
                                                          std::size_t layer) const {
  return linear(context, cache.self_attention(layer, linear(context, x, qkv_), heads_), output_);
}

torch::Tensor MultiHeadAttentionImpl::cross_attention_step(const ForwardContext& context,
                                                           const torch::Tensor& x,
                                                           const IndirectKvCache& cache,
                                                           std::size_t layer) const {
  return linear(context, cache.cross_attention(layer, linear(context, x, query_), heads_), output_);
}

/// Queries, keys and values of self-attention over x [B, T, D], whose first token has this
/// position.
KeyValues MultiHeadAttentionImpl::split_qkv(const ForwardContext& context, torch::Tensor& queries,
                                            const torch::Tensor& x, int64_t position) const {
  const auto parts = for_attention(linear(context, x, qkv_)).chunk(3, -1);
  queries = split_heads(parts[0]);
  KeyValues memory{split_heads(parts[1]), split_heads(parts[2])};
  if (rotary_) {
    queries = apply_rotary(queries, position);
    memory.keys = apply_rotary(memory.keys, position);
  }
  return memory;
}

torch::Tensor MultiHeadAttentionImpl::project_kv_fused(const ForwardContext& context,
                                                       const torch::Tensor& memory) const {
  return linear(context, memory, kv_);
}

KeyValues MultiHeadAttentionImpl::project_kv(const ForwardContext& context,
                                             const torch::Tensor& memory) const {
  const auto parts = for_attention(project_kv_fused(context, memory)).chunk(2, -1);
  return {split_heads(parts[0]), split_heads(parts[1])};
}

torch::Tensor MultiHeadAttentionImpl::attend(const ForwardContext& context,
                                             const torch::Tensor& query, const KeyValues& memory,
                                             const AttentionMask& visible, torch::Tensor* weights) {
  const auto queries = split_heads(for_attention(linear(context, query, query_)));
  return attend_heads(context, queries, memory, visible, weights);
}

}  // namespace tfm

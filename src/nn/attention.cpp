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

MultiHeadAttentionImpl::MultiHeadAttentionImpl(const ModelConfig& config)
    : heads_(config.heads),
      rotary_(config.positions == Positions::rotary),
      inner_size_(config.heads * config.resolved_head_size()),
      dropout_(config.attention_dropout),
      in_weight_(
          register_parameter("in_weight", make_weight({3 * inner_size_, config.hidden_size}))),
      output_(
          register_module("output", make_linear(inner_size_, config.hidden_size, config.bias))) {
  if (config.bias) in_bias_ = register_parameter("in_bias", torch::zeros({3 * inner_size_}));
}

/// x [..., D] through `blocks` of the three projections, from first_block on -> [..., blocks * H *
/// Dh]
torch::Tensor MultiHeadAttentionImpl::project(const torch::Tensor& x, int64_t first_block,
                                              int64_t blocks) const {
  if (blocks == 3) return linear(x, in_weight_, in_bias_);
  const int64_t begin = first_block * inner_size_;
  return linear(x, in_weight_, in_bias_, begin, begin + blocks * inner_size_);
}

/// [B, T, H * Dh] -> [B, H, T, Dh]
torch::Tensor MultiHeadAttentionImpl::split_heads(const torch::Tensor& x) const {
  return x.unflatten(-1, {heads_, -1}).transpose(1, 2);
}

torch::Tensor MultiHeadAttentionImpl::attend_heads(const torch::Tensor& queries,
                                                   const KeyValues& memory,
                                                   const AttentionMask& visible,
                                                   torch::Tensor* weights) {
  const double dropout = is_training() ? dropout_ : 0.0;
  torch::Tensor context;
  if (weights != nullptr || dropout > 0) {
    context = scaled_dot_product_attention(queries, memory, visible, dropout, weights);
  } else if (visible.mask.defined()) {  // the fused kernels take either a mask or causality
    context =
        at::scaled_dot_product_attention(queries, memory.keys, memory.values,
                                         visible.materialize(queries.size(-2), queries.device()));
  } else {
    context = at::scaled_dot_product_attention(queries, memory.keys, memory.values, {}, 0.0,
                                               visible.causal);
  }
  // [B, H, T, Dh] -> [B, T, H * Dh] -> [B, T, D]
  return project_output(context.transpose(1, 2).flatten(2));
}

/// [..., H * Dh] -> [..., D]
torch::Tensor MultiHeadAttentionImpl::project_output(const torch::Tensor& context) const {
  return linear(context, output_->weight, output_->bias);
}

torch::Tensor MultiHeadAttentionImpl::forward(const torch::Tensor& query,
                                              const torch::Tensor& memory,
                                              const AttentionMask& visible,
                                              torch::Tensor* weights) {
  if (visible.queries != nullptr) {
    return project_output(varlen_cross_attention(project(query, 0, 1), project(memory, 1, 2),
                                                 heads_, *visible.queries, *visible.memory));
  }
  return attend(query, project_kv(memory), visible, weights);
}

torch::Tensor MultiHeadAttentionImpl::self_forward(const torch::Tensor& x,
                                                   const AttentionMask& visible,
                                                   torch::Tensor* weights) {
  if (visible.queries != nullptr)
    return project_output(
        varlen_self_attention(project(x, 0, 3), heads_, *visible.queries, visible.causal));
  torch::Tensor queries;
  const auto memory = split_qkv(queries, x, 0);
  return attend_heads(queries, memory, visible, weights);
}

torch::Tensor MultiHeadAttentionImpl::self_attention_step(
    const torch::Tensor& x, int64_t position,
    const std::function<KeyValues(const KeyValues&)>& remember) {
  torch::Tensor queries;
  const auto memory = remember(split_qkv(queries, x, position));
  return attend_heads(queries, memory, AttentionMask{}, nullptr);
}

torch::Tensor MultiHeadAttentionImpl::self_attention_step(const torch::Tensor& x,
                                                          IndirectKvCache& cache,
                                                          std::size_t layer) const {
  return project_output(cache.self_attention(layer, project(x, 0, 3), heads_));
}

torch::Tensor MultiHeadAttentionImpl::cross_attention_step(const torch::Tensor& x,
                                                           const IndirectKvCache& cache,
                                                           std::size_t layer) const {
  return project_output(cache.cross_attention(layer, project(x, 0, 1), heads_));
}

/// Queries, keys and values of self-attention over x [B, T, D], whose first token has this
/// position.
KeyValues MultiHeadAttentionImpl::split_qkv(torch::Tensor& queries, const torch::Tensor& x,
                                            int64_t position) const {
  const auto parts = for_attention(project(x, 0, 3)).chunk(3, -1);
  queries = split_heads(parts[0]);
  KeyValues memory{split_heads(parts[1]), split_heads(parts[2])};
  if (rotary_) {
    queries = apply_rotary(queries, position);
    memory.keys = apply_rotary(memory.keys, position);
  }
  return memory;
}

KeyValues MultiHeadAttentionImpl::project_kv(const torch::Tensor& memory) const {
  const auto parts = for_attention(project(memory, 1, 2)).chunk(2, -1);
  return {split_heads(parts[0]), split_heads(parts[1])};
}

torch::Tensor MultiHeadAttentionImpl::attend(const torch::Tensor& query, const KeyValues& memory,
                                             const AttentionMask& visible, torch::Tensor* weights) {
  return attend_heads(split_heads(for_attention(project(query, 0, 1))), memory, visible, weights);
}

}  // namespace tfm

#include "tfm/nn/decoder.h"

#include <string>

#include "tfm/nn/gradient_checkpointing.h"
#include "tfm/nn/layer_dropout.h"
#include "tfm/tensor/packed_weights.h"

namespace tfm {
namespace {

/// What layer i attends to: its own encoder output where there is one a layer, else the only one.
const torch::Tensor& memory_of(const std::vector<torch::Tensor>& memory, std::size_t layer) {
  return memory.size() == 1 ? memory.front() : memory.at(layer);
}

}  // namespace

DecoderLayerImpl::DecoderLayerImpl(const ModelConfig& config)
    : self_attention_(register_module("self_attention", MultiHeadAttention(config))),
      cross_attention_(register_module("cross_attention", MultiHeadAttention(config))),
      feed_forward_(register_module("feed_forward", FeedForward(config))),
      self_attention_residual_(register_module("self_attention_residual", Residual(config))),
      cross_attention_residual_(register_module("cross_attention_residual", Residual(config))),
      feed_forward_residual_(register_module("feed_forward_residual", Residual(config))) {}

torch::Tensor DecoderLayerImpl::forward(const torch::Tensor& x, const torch::Tensor& memory,
                                        const AttentionMask& source, torch::Tensor* self_weights,
                                        torch::Tensor* cross_weights) {
  // Target padding stands at the end, where the causal mask hides it from every real token: it
  // needs no mask of its own.
  const AttentionMask past{
      .mask = {}, .causal = true, .queries = source.queries, .memory = source.queries};
  auto y = self_attention_residual_->forward(x, [&](const torch::Tensor& z) {
    return self_attention_->self_forward(z, past, self_weights);
  });
  y = cross_attention_residual_->forward(y, [&](const torch::Tensor& z) {
    return cross_attention_(z, memory, source, cross_weights);
  });
  return feed_forward_residual_->forward(y,
                                         [&](const torch::Tensor& z) { return feed_forward_(z); });
}

torch::Tensor DecoderLayerImpl::step(const torch::Tensor& x, LayerKvCache& cache,
                                     const AttentionMask& source, torch::Tensor* cross_weights) {
  auto y = self_attention_residual_->forward(x, [&](const torch::Tensor& z) {
    return self_attention_->self_attention_step(
        z, cache.self_attention.length(),
        [&](const KeyValues& own) { return cache.self_attention.append(own); });
  });
  y = cross_attention_residual_->forward(y, [&](const torch::Tensor& z) {
    return cross_attention_->attend(z, cache.cross_attention, source, cross_weights);
  });
  return feed_forward_residual_->forward(y,
                                         [&](const torch::Tensor& z) { return feed_forward_(z); });
}

torch::Tensor DecoderLayerImpl::step(const torch::Tensor& x, IndirectKvCache& cache,
                                     std::size_t index) {
  auto y = self_attention_residual_->forward(x, [&](const torch::Tensor& z) {
    return self_attention_->self_attention_step(z, cache, index);
  });
  y = cross_attention_residual_->forward(y, [&](const torch::Tensor& z) {
    return cross_attention_->cross_attention_step(z, cache, index);
  });
  return feed_forward_residual_->forward(y,
                                         [&](const torch::Tensor& z) { return feed_forward_(z); });
}

DecoderImpl::DecoderImpl(const ModelConfig& config) : layer_dropout_(config.layer_dropout) {
  for (int64_t i = 0; i < config.decoder_layers; ++i)
    layers_.push_back(register_module("layer" + std::to_string(i), DecoderLayer(config)));
  if (config.has_final_norm()) final_norm_ = register_module("final_norm", Normalization(config));
}

torch::Tensor DecoderImpl::forward(torch::Tensor x, const std::vector<torch::Tensor>& memory,
                                   const AttentionMask& source, DecoderAttentionMaps* weights) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (should_drop_layer(layer_dropout_, is_training())) continue;
    const auto& attended = memory_of(memory, i);
    if (weights != nullptr) {
      x = layers_[i](x, attended, source, &weights->self_attention.emplace_back(),
                     &weights->cross_attention.emplace_back());
    } else if (checkpoints_) {
      const auto run = [layer = layers_[i], source](const auto& inputs) mutable {
        return layer(inputs[0], inputs[1], source, nullptr, nullptr);
      };
      x = gradient_checkpoint({x, attended}, layers_[i]->parameters(), run);
    } else {
      x = layers_[i](x, attended, source, nullptr, nullptr);
    }
  }
  return final_norm_.is_empty() ? x : final_norm_(x);
}

ContiguousKvCache DecoderImpl::make_cache(const std::vector<torch::Tensor>& memory,
                                          const torch::Tensor& source_mask) const {
  ContiguousKvCache cache;
  cache.source_mask = source_mask;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    auto projected = layers_[i]->project_kv(memory_of(memory, i));
    cache.layers.push_back({{}, {projected.keys.contiguous(), projected.values.contiguous()}});
  }
  return cache;
}

torch::Tensor DecoderImpl::step(torch::Tensor x, ContiguousKvCache& cache,
                                torch::Tensor* attention) {
  const AttentionMask source{.mask = cache.source_mask};
  std::vector<torch::Tensor> weights(attention != nullptr ? layers_.size() : 0);
  for (std::size_t i = 0; i < layers_.size(); ++i)
    x = layers_[i]->step(x, cache.layers[i], source, weights.empty() ? nullptr : &weights[i]);
  // [L, R, H, 1, S] -> [R, S]
  if (attention != nullptr)
    *attention = torch::stack(weights).mean(c10::IntArrayRef{0, 2}).squeeze(1);
  ++cache.length;
  return final_norm_.is_empty() ? x : final_norm_(x);
}

IndirectKvCache DecoderImpl::make_kv_cache(const std::vector<torch::Tensor>& memory,
                                           const UnpaddedBatch& source) const {
  std::vector<torch::Tensor> projected;
  for (std::size_t i = 0; i < layers_.size(); ++i)
    projected.push_back(layers_[i]->project_kv_fused(memory_of(memory, i)));
  const auto* inference = PackedWeights::current();
  return {std::move(projected), source, inference != nullptr && inference->uses_bf16_kv_cache()};
}

torch::Tensor DecoderImpl::step(torch::Tensor x, IndirectKvCache& cache) {
  cache.begin_step();
  for (std::size_t i = 0; i < layers_.size(); ++i) x = layers_[i]->step(x, cache, i);
  return final_norm_.is_empty() ? x : final_norm_(x);
}

}  // namespace tfm

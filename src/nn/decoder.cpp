#include "tfm/nn/decoder.h"

#include <string>
#include <utility>

#include "tfm/nn/contiguous_kv_cache.h"
#include "tfm/nn/gradient_checkpointing.h"
#include "tfm/nn/indirect_kv_cache.h"
#include "tfm/nn/layer_dropout.h"

namespace tfm {
namespace {

/// Returns the encoder output that a decoder layer attends to: the output for this layer if
/// `memory` has one per layer, otherwise the only output.
const torch::Tensor& find_memory(const std::vector<torch::Tensor>& memory, std::size_t layer) {
  return memory.size() == 1 ? memory.front() : memory.at(layer);
}

}  // namespace

DecoderLayerImpl::DecoderLayerImpl(const ModelConfig& config, LayerFactory& layers)
    : self_attention_(register_module(
          "self_attention", MultiHeadAttention(config, AttentionKind::causal_self, layers))),
      cross_attention_(register_module("cross_attention",
                                       MultiHeadAttention(config, AttentionKind::cross, layers))),
      feed_forward_(register_module("feed_forward", FeedForward(config, layers))),
      self_attention_residual_(register_module("self_attention_residual", Residual(config))),
      cross_attention_residual_(register_module("cross_attention_residual", Residual(config))),
      feed_forward_residual_(register_module("feed_forward_residual", Residual(config))) {}

torch::Tensor DecoderLayerImpl::forward(const ForwardContext& context, const torch::Tensor& x,
                                        const TokenLayout& target, const torch::Tensor& memory,
                                        const TokenLayout& source, LayerAttentionMaps* maps) {
  auto y = self_attention_residual_->forward(x, [&](const torch::Tensor& z) {
    return self_attention_->self_forward(context, z, target,
                                         maps != nullptr ? &maps->self_attention : nullptr);
  });
  y = cross_attention_residual_->forward(y, [&](const torch::Tensor& z) {
    return cross_attention_(context, z, target, memory, source,
                            maps != nullptr ? &maps->cross_attention : nullptr);
  });
  return feed_forward_residual_->forward(
      y, [&](const torch::Tensor& z) { return feed_forward_(context, z); });
}

torch::Tensor DecoderLayerImpl::step(const ForwardContext& context, const torch::Tensor& x,
                                     KvCache& cache, std::size_t index) {
  auto y = self_attention_residual_->forward(x, [&](const torch::Tensor& z) {
    return self_attention_->self_attention_step(context, z, cache, index);
  });
  y = cross_attention_residual_->forward(y, [&](const torch::Tensor& z) {
    return cross_attention_->cross_attention_step(context, z, cache, index);
  });
  return feed_forward_residual_->forward(
      y, [&](const torch::Tensor& z) { return feed_forward_(context, z); });
}

DecoderImpl::DecoderImpl(const ModelConfig& config, LayerFactory& layers)
    : heads_(config.heads), layer_dropout_(config.layer_dropout) {
  for (int64_t i = 0; i < config.decoder_layers; ++i)
    layers_.push_back(register_module("layer" + std::to_string(i), DecoderLayer(config, layers)));
  if (config.has_final_norm()) final_norm_ = register_module("final_norm", Normalization(config));
}

torch::Tensor DecoderImpl::run(const ForwardContext& context, DecoderLayer& layer,
                               const torch::Tensor& x, const TokenLayout& target,
                               const torch::Tensor& memory, const TokenLayout& source) const {
  if (!checkpoints_) return layer(context, x, target, memory, source, nullptr);
  const auto recompute = [context, layer, target, source](const auto& inputs) mutable {
    return layer(context, inputs[0], target, inputs[1], source, nullptr);
  };
  return gradient_checkpoint({x, memory}, layer->parameters(), recompute);
}

torch::Tensor DecoderImpl::forward(const ForwardContext& context, torch::Tensor x,
                                   const TokenLayout& target,
                                   const std::vector<torch::Tensor>& memory,
                                   const TokenLayout& source, DecoderAttentionMaps* maps) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (should_drop_layer(layer_dropout_, is_training())) continue;
    const auto& attended = find_memory(memory, i);
    if (maps == nullptr) {
      x = run(context, layers_[i], x, target, attended, source);
      continue;
    }
    LayerAttentionMaps layer_maps;
    x = layers_[i](context, x, target, attended, source, &layer_maps);
    maps->self_attention.push_back(layer_maps.self_attention);
    maps->cross_attention.push_back(layer_maps.cross_attention);
  }
  return final_norm_.is_empty() ? x : final_norm_(x);
}

std::unique_ptr<KvCache> DecoderImpl::make_kv_cache(const ForwardContext& context,
                                                    const std::vector<torch::Tensor>& memory,
                                                    const TokenLayout& source,
                                                    bool keeps_attention) const {
  std::unique_ptr<KvCache> cache;
  if (const auto* unpadded = std::get_if<UnpaddedLayout>(&source)) {
    cache = std::make_unique<IndirectKvCache>(
        *unpadded, IndirectKvCache::Options{.heads = heads_, .int8 = context.int8_kv_cache});
  } else {
    cache = std::make_unique<ContiguousKvCache>(
        std::get<PaddedLayout>(source).mask,
        ContiguousKvCache::Options{
            .layers = std::ssize(layers_), .heads = heads_, .keeps_attention = keeps_attention});
  }
  add_layers(context, memory, *cache);
  return cache;
}

void DecoderImpl::join(const ForwardContext& context, const std::vector<torch::Tensor>& memory,
                       const UnpaddedLayout& source, KvCache& cache) const {
  cache.join(source);
  add_layers(context, memory, cache);
}

void DecoderImpl::add_layers(const ForwardContext& context,
                             const std::vector<torch::Tensor>& memory, KvCache& cache) const {
  // The projection of a layer is freed before the next one is computed.
  for (std::size_t i = 0; i < layers_.size(); ++i)
    cache.add_layer(layers_[i]->project_kv(context, find_memory(memory, i)));
}

torch::Tensor DecoderImpl::step(const ForwardContext& context, torch::Tensor x, KvCache& cache) {
  cache.begin_step();
  for (std::size_t i = 0; i < layers_.size(); ++i) x = layers_[i]->step(context, x, cache, i);
  return final_norm_.is_empty() ? x : final_norm_(x);
}

}  // namespace tfm

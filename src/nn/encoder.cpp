#include "tfm/nn/encoder.h"

#include <string>

#include "tfm/nn/gradient_checkpointing.h"
#include "tfm/nn/layer_dropout.h"

namespace tfm {

EncoderLayerImpl::EncoderLayerImpl(const ModelConfig& config, LayerFactory& layers)
    : self_attention_(register_module("self_attention",
                                      MultiHeadAttention(config, AttentionKind::self, layers))),
      feed_forward_(register_module("feed_forward", FeedForward(config, layers))),
      self_attention_residual_(register_module("self_attention_residual", Residual(config))),
      feed_forward_residual_(register_module("feed_forward_residual", Residual(config))) {}

torch::Tensor EncoderLayerImpl::forward(const ForwardContext& context, const torch::Tensor& x,
                                        const TokenLayout& layout, torch::Tensor* weights) {
  const auto attended = self_attention_residual_->forward(x, [&](const torch::Tensor& y) {
    return self_attention_->self_forward(context, y, layout, weights);
  });
  return feed_forward_residual_->forward(
      attended, [&](const torch::Tensor& y) { return feed_forward_(context, y); });
}

EncoderImpl::EncoderImpl(const ModelConfig& config, LayerFactory& layers)
    : layerwise_(config.cross_attention == CrossAttention::layerwise),
      layer_dropout_(config.layer_dropout) {
  for (int64_t i = 0; i < config.encoder_layers; ++i)
    layers_.push_back(register_module("layer" + std::to_string(i), EncoderLayer(config, layers)));
  if (config.has_final_norm()) final_norm_ = register_module("final_norm", Normalization(config));
}

torch::Tensor EncoderImpl::run(const ForwardContext& context, EncoderLayer& layer,
                               const torch::Tensor& x, const TokenLayout& layout,
                               torch::Tensor* weights) const {
  if (!checkpoints_ || weights != nullptr) return layer(context, x, layout, weights);
  const auto recompute = [context, layer, layout](const auto& inputs) mutable {
    return layer(context, inputs[0], layout, nullptr);
  };
  return gradient_checkpoint({x}, layer->parameters(), recompute);
}

std::vector<torch::Tensor> EncoderImpl::forward(const ForwardContext& context, torch::Tensor x,
                                                const TokenLayout& layout,
                                                std::vector<torch::Tensor>* weights) {
  std::vector<torch::Tensor> outputs;
  for (auto& layer : layers_) {
    if (!should_drop_layer(layer_dropout_, is_training()))
      x = run(context, layer, x, layout, weights != nullptr ? &weights->emplace_back() : nullptr);
    if (layerwise_) outputs.push_back(x);
  }
  if (!final_norm_.is_empty()) x = final_norm_(x);
  if (layerwise_) outputs.pop_back();
  outputs.push_back(x);
  return outputs;
}

}  // namespace tfm

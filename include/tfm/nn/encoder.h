// The encoder (Vaswani et al. 2017, section 3.1): a stack of layers, each with self-attention and
// feed-forward, and residual connections around both.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "tfm/config/config.h"
#include "tfm/nn/attention.h"
#include "tfm/nn/feed_forward.h"
#include "tfm/nn/residual.h"

namespace tfm {

class EncoderLayerImpl : public torch::nn::Module {
 public:
  EncoderLayerImpl(const ModelConfig& config, LayerFactory& layers);

  /// Computes the layer: x [B, S, D] -> [B, S, D], or without padding x [N, D] -> [N, D]. If
  /// `weights` is not nullptr, x must be padded, and `weights` receives the self-attention [B, H,
  /// S, S].
  torch::Tensor forward(const ForwardContext& context, const torch::Tensor& x,
                        const TokenLayout& layout, torch::Tensor* weights = nullptr);

 private:
  MultiHeadAttention self_attention_;
  FeedForward feed_forward_;
  Residual self_attention_residual_;
  Residual feed_forward_residual_;
};
TORCH_MODULE(EncoderLayer);

class EncoderImpl : public torch::nn::Module {
 public:
  EncoderImpl(const ModelConfig& config, LayerFactory& layers);

  /// Encodes the embedded source x [B, S, D], or without padding [N, D]. Returns the tensors that
  /// the decoder layers attend to, each with the shape of x. There is one tensor for all layers, or
  /// with layerwise cross-attention one per layer. The last tensor has passed the final norm, if
  /// the model has one. If `weights` is not nullptr, x must be padded, and `weights` receives the
  /// self-attention [B, H, S, S] of each layer.
  std::vector<torch::Tensor> forward(const ForwardContext& context, torch::Tensor x,
                                     const TokenLayout& layout,
                                     std::vector<torch::Tensor>* weights = nullptr);

  /// See Transformer::set_gradient_checkpointing.
  void set_gradient_checkpointing(bool on) { checkpoints_ = on; }

 private:
  torch::Tensor run(const ForwardContext& context, EncoderLayer& layer, const torch::Tensor& x,
                    const TokenLayout& layout, torch::Tensor* weights) const;

  bool layerwise_;
  double layer_dropout_;
  bool checkpoints_ = false;
  std::vector<EncoderLayer> layers_;
  Normalization final_norm_{nullptr};
};
TORCH_MODULE(Encoder);

}  // namespace tfm

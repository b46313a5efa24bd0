// The encoder (Vaswani et al. 2017, section 3.1): a stack of layers, each self-attention and
// feed-forward with residual connections.
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

  /// x [B, S, D] -> [B, S, D], or without padding as the layout says, [N, D] -> [N, D]. weights,
  /// where given, receives the self-attention [B, H, S, S]; with padding only.
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

  /// x: embedded source [B, S, D], or without padding [N, D] -> what the decoder's layers attend
  /// to, of the same shape each: one tensor for all of them, or with layerwise cross-attention one
  /// a layer. The last one has passed the final norm, where there is one. weights, where given,
  /// receives each layer's self-attention [B, H, S, S]; with padding only.
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

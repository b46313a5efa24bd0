// The decoder (Vaswani et al. 2017, section 3.1): a stack of layers, each causal self-attention,
// cross-attention over the encoder's output and feed-forward. forward sees a whole target at once
// (training); step sees one new token per row and the KvCache of all earlier tokens (translation).
// Both give the same result.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <memory>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/nn/attention.h"
#include "tfm/nn/feed_forward.h"
#include "tfm/nn/kv_cache.h"
#include "tfm/nn/residual.h"

namespace tfm {

/// What one decoder layer attends to: [B, H, T, T] and [B, H, T, S].
struct LayerAttentionMaps {
  torch::Tensor self_attention;
  torch::Tensor cross_attention;
};

class DecoderLayerImpl : public torch::nn::Module {
 public:
  DecoderLayerImpl(const ModelConfig& config, LayerFactory& layers);

  /// x [B, T, D], which lies as `target` says, memory [B, S, D], which lies as `source` says -> [B,
  /// T, D]; or without padding [N, D], [M, D] -> [N, D]. maps, if given, receives what the layer
  /// attends to; with padding only.
  torch::Tensor forward(const ForwardContext& context, const torch::Tensor& x,
                        const TokenLayout& target, const torch::Tensor& memory,
                        const TokenLayout& source, LayerAttentionMaps* maps = nullptr);

  /// One new position per row: x [R, D] -> [R, D]. index: of this layer in the cache.
  torch::Tensor step(const ForwardContext& context, const torch::Tensor& x, KvCache& cache,
                     std::size_t index);

  /// The encoder's output [..., D] -> the cross-attention's keys and values [..., 2 * H * Dh].
  torch::Tensor project_kv(const ForwardContext& context, const torch::Tensor& memory) const {
    return cross_attention_->project_kv(context, memory);
  }

 private:
  MultiHeadAttention self_attention_;
  MultiHeadAttention cross_attention_;
  FeedForward feed_forward_;
  Residual self_attention_residual_;
  Residual cross_attention_residual_;
  Residual feed_forward_residual_;
};
TORCH_MODULE(DecoderLayer);

/// Attention of every layer, in order: each [B, H, T, S] of its kind.
struct DecoderAttentionMaps {
  std::vector<torch::Tensor> self_attention;
  std::vector<torch::Tensor> cross_attention;
};

class DecoderImpl : public torch::nn::Module {
 public:
  DecoderImpl(const ModelConfig& config, LayerFactory& layers);

  /// x: embedded target [B, T, D], which lies as `target` says; memory: the encoder's outputs, [B,
  /// S, D] each, one for all layers or one a layer, which lie as `source` says -> [B, T, D]; or all
  /// without padding. maps, if given, receives what the layers attend to; with padding only.
  torch::Tensor forward(const ForwardContext& context, torch::Tensor x, const TokenLayout& target,
                        const std::vector<torch::Tensor>& memory, const TokenLayout& source,
                        DecoderAttentionMaps* maps = nullptr);

  /// An empty cache with one row per sentence of memory (as in forward): an IndirectKvCache if
  /// memory comes without padding, else a ContiguousKvCache. keeps_attention: for
  /// KvCache::mean_attention; only with padding.
  std::unique_ptr<KvCache> make_kv_cache(const ForwardContext& context,
                                         const std::vector<torch::Tensor>& memory,
                                         const TokenLayout& source,
                                         bool keeps_attention = false) const;
  /// x: the embedded new token of each row, [R, D] -> [R, D]; adds its position to the cache.
  torch::Tensor step(const ForwardContext& context, torch::Tensor x, KvCache& cache);

  /// See Transformer::set_gradient_checkpointing.
  void set_gradient_checkpointing(bool on) { checkpoints_ = on; }

 private:
  torch::Tensor run(const ForwardContext& context, DecoderLayer& layer, const torch::Tensor& x,
                    const TokenLayout& target, const torch::Tensor& memory,
                    const TokenLayout& source) const;

  int64_t heads_;
  bool rotary_;
  double layer_dropout_;
  bool checkpoints_ = false;
  std::vector<DecoderLayer> layers_;
  Normalization final_norm_{nullptr};
};
TORCH_MODULE(Decoder);

}  // namespace tfm

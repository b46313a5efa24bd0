// The decoder (Vaswani et al. 2017, section 3.1): a stack of layers, each with causal
// self-attention, cross-attention over the encoder output, and feed-forward. forward processes a
// whole target at once (training). step processes one new token per row, with the KvCache of all
// earlier tokens (translation). Both give the same result.
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

/// The attention probabilities of one decoder layer.
struct LayerAttentionMaps {
  torch::Tensor self_attention;   ///< [B, H, T, T]
  torch::Tensor cross_attention;  ///< [B, H, T, S]
};

class DecoderLayerImpl : public torch::nn::Module {
 public:
  DecoderLayerImpl(const ModelConfig& config, LayerFactory& layers);

  /// Computes the layer: x [B, T, D] in the layout `target`, memory [B, S, D] in the layout
  /// `source` -> [B, T, D]. Without padding, x is [N, D], memory [M, D], and the result [N, D]. If
  /// `maps` is not nullptr, x and memory must be padded, and `maps` receives the attention of the
  /// layer.
  torch::Tensor forward(const ForwardContext& context, const torch::Tensor& x,
                        const TokenLayout& target, const torch::Tensor& memory,
                        const TokenLayout& source, LayerAttentionMaps* maps = nullptr);

  /// Computes one new position per row: x [R, D] -> [R, D]. `index` is the number of this layer in
  /// the cache.
  torch::Tensor step(const ForwardContext& context, const torch::Tensor& x, KvCache& cache,
                     std::size_t index);

  /// Projects the encoder output [..., D] to the keys and values of the cross-attention, [..., 2 *
  /// H * Dh].
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

/// The attention probabilities of every layer, in order.
struct DecoderAttentionMaps {
  std::vector<torch::Tensor> self_attention;   ///< [B, H, T, T] each
  std::vector<torch::Tensor> cross_attention;  ///< [B, H, T, S] each
};

class DecoderImpl : public torch::nn::Module {
 public:
  DecoderImpl(const ModelConfig& config, LayerFactory& layers);

  /// Decodes the embedded target x [B, T, D], in the layout `target`, to [B, T, D]. `memory` holds
  /// the encoder outputs [B, S, D], in the layout `source`: one for all layers, or one per layer.
  /// Without padding, the shapes are [N, D] and [M, D]. If `maps` is not nullptr, x and memory must
  /// be padded, and `maps` receives the attention of all layers.
  torch::Tensor forward(const ForwardContext& context, torch::Tensor x, const TokenLayout& target,
                        const std::vector<torch::Tensor>& memory, const TokenLayout& source,
                        DecoderAttentionMaps* maps = nullptr);

  /// Returns an empty cache with one row per sentence of memory (see forward): an IndirectKvCache
  /// if memory has no padding, otherwise a ContiguousKvCache. keeps_attention enables
  /// KvCache::mean_attention and requires padding.
  std::unique_ptr<KvCache> make_kv_cache(const ForwardContext& context,
                                         const std::vector<torch::Tensor>& memory,
                                         const TokenLayout& source,
                                         bool keeps_attention = false) const;
  /// Adds a row to the cache for each sentence of memory, which has no padding (see forward).
  void join(const ForwardContext& context, const std::vector<torch::Tensor>& memory,
            const UnpaddedLayout& source, KvCache& cache) const;
  /// Decodes the embedded new token of each row, x [R, D] -> [R, D], and adds its position to the
  /// cache.
  torch::Tensor step(const ForwardContext& context, torch::Tensor x, KvCache& cache);

  /// See Transformer::set_gradient_checkpointing.
  void set_gradient_checkpointing(bool on) { checkpoints_ = on; }

 private:
  void add_layers(const ForwardContext& context, const std::vector<torch::Tensor>& memory,
                  KvCache& cache) const;
  torch::Tensor run(const ForwardContext& context, DecoderLayer& layer, const torch::Tensor& x,
                    const TokenLayout& target, const torch::Tensor& memory,
                    const TokenLayout& source) const;

  int64_t heads_;
  double layer_dropout_;
  bool checkpoints_ = false;
  std::vector<DecoderLayer> layers_;
  Normalization final_norm_{nullptr};
};
TORCH_MODULE(Decoder);

}  // namespace tfm

// The decoder (Vaswani et al. 2017, section 3.1): a stack of layers, each causal self-attention,
// cross-attention over the encoder's output and feed-forward. forward sees a whole target at once
// (training); step sees one new token per row and the cache of all earlier ones (translation). Both
// give the same result.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "tfm/config/config.h"
#include "tfm/nn/attention.h"
#include "tfm/nn/contiguous_kv_cache.h"
#include "tfm/nn/feed_forward.h"
#include "tfm/nn/residual.h"

namespace tfm {

/// What one decoder layer attends to: [B, H, T, T] and [B, H, T, S].
struct LayerAttentionMaps {
  torch::Tensor self_attention;
  torch::Tensor cross_attention;
};

class DecoderLayerImpl : public torch::nn::Module {
 public:
  DecoderLayerImpl(const ModelConfig& config, LinearParts& parts);

  /// x [B, T, D], memory [B, S, D] -> [B, T, D], or without padding as `source` says. maps, if
  /// given, receives what the layer attends to.
  torch::Tensor forward(const ForwardContext& context, const torch::Tensor& x,
                        const torch::Tensor& memory, const AttentionMask& source,
                        LayerAttentionMaps* maps = nullptr);

  /// x [R, 1, D] -> [R, 1, D]. cross_weights [R, H, 1, S] are filled if given.
  torch::Tensor step(const ForwardContext& context, const torch::Tensor& x, LayerKvCache& cache,
                     const AttentionMask& source, torch::Tensor* cross_weights = nullptr);

  /// The same over a IndirectKvCache, in which this is layer number `index`: x [R, D] -> [R, D]
  torch::Tensor step(const ForwardContext& context, const torch::Tensor& x, IndirectKvCache& cache,
                     std::size_t index);

  /// Keys and values of the cross-attention for packed encoder output [M, D] -> [M, 2 * H * Dh].
  torch::Tensor project_kv_fused(const ForwardContext& context, const torch::Tensor& memory) const {
    return cross_attention_->project_kv_fused(context, memory);
  }

  /// Keys and values of the cross-attention for an encoder output [B, S, D].
  KeyValues project_kv(const ForwardContext& context, const torch::Tensor& memory) const {
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
  DecoderImpl(const ModelConfig& config, LinearParts& parts);

  /// x: embedded target [B, T, D]; memory: the encoder's outputs, [B, S, D] each, one for all
  /// layers or one a layer -> [B, T, D]; or all packed as `source` says.
  torch::Tensor forward(const ForwardContext& context, torch::Tensor x,
                        const std::vector<torch::Tensor>& memory, const AttentionMask& source,
                        DecoderAttentionMaps* maps = nullptr);

  /// A cache for the rows of memory (as in forward), source_mask [B, 1, 1, S].
  ContiguousKvCache make_cache(const ForwardContext& context,
                               const std::vector<torch::Tensor>& memory,
                               const torch::Tensor& source_mask) const;
  /// x: the embedded new token of each row, [R, 1, D] -> [R, 1, D]; adds it to the cache.
  /// attention, where given, receives the cross-attention, the mean over all layers and heads, [R,
  /// S].
  torch::Tensor step(const ForwardContext& context, torch::Tensor x, ContiguousKvCache& cache,
                     torch::Tensor* attention = nullptr);

  /// The same with keys and values that never move: memory packed as `source` says, [M, D] each.
  IndirectKvCache make_kv_cache(const ForwardContext& context,
                                const std::vector<torch::Tensor>& memory,
                                const UnpaddedBatch& source) const;
  /// x [R, D] -> [R, D]
  torch::Tensor step(const ForwardContext& context, torch::Tensor x, IndirectKvCache& cache);

  /// See Transformer::set_gradient_checkpointing.
  void set_gradient_checkpointing(bool on) { checkpoints_ = on; }

 private:
  torch::Tensor run(const ForwardContext& context, DecoderLayer& layer, const torch::Tensor& x,
                    const torch::Tensor& memory, const AttentionMask& source) const;

  double layer_dropout_;
  bool checkpoints_ = false;
  std::vector<DecoderLayer> layers_;
  Normalization final_norm_{nullptr};
};
TORCH_MODULE(Decoder);

}  // namespace tfm

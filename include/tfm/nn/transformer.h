// The Transformer (Vaswani et al. 2017): embeddings, encoder, decoder, output projection. The one
// definition for training and translation: forward gives the logits of a whole target, start + step
// the same logits token by token with a cache.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/pimpl.h>

#include <memory>
#include <optional>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/nn/decoder.h"
#include "tfm/nn/encoder.h"
#include "tfm/nn/layers.h"
#include "tfm/nn/positional_encoding.h"
#include "tfm/nn/token_layout.h"
#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/linear_part.h"
#include "tfm/tensor/packed_weight.h"

namespace tfm {

/// What the model must know of the vocabularies.
struct VocabSizes {
  int64_t source = 0;
  int64_t target = 0;
  int64_t source_pad = 0;
  int64_t target_pad = 0;
};

/// Attention probabilities of every layer: encoder [B, H, S, S], decoder.self_attention [B, H, T,
/// T], decoder.cross_attention [B, H, T, S].
struct AttentionMaps {
  std::vector<torch::Tensor> encoder;
  DecoderAttentionMaps decoder;
};

/// What token embeddings are multiplied by before positions are added, [B, S] and [B, T];
/// undefined: by one. A token whose factor is 0 is cut: its position remains.
struct TokenDropoutMasks {
  torch::Tensor source;
  torch::Tensor target;
};

/// Some rows of the output projection: the logits of some tokens, if the others are not wanted. For
/// inference.
class VocabularySubset {
 public:
  /// output: the projection [V, D]; tokens [N] int64.
  VocabularySubset(const ForwardContext& context, const LinearPart& output,
                   const torch::Tensor& tokens);

  /// hidden [..., D] -> logits [..., N]
  torch::Tensor project(const torch::Tensor& hidden) const;

 private:
  std::optional<PackedWeight> packed_;  // if the context has packed weights
  torch::Tensor weight_;                // else
  torch::Tensor bias_;
};

struct KvCacheOptions {
  /// Each step leaves its attention in the cache (KvCache::mean_attention). It takes a
  /// ContiguousKvCache, without the fused attention kernel.
  bool keeps_attention = false;
  /// A ContiguousKvCache even if an IndirectKvCache would do.
  bool contiguous = false;
};

class TransformerImpl : public torch::nn::Module {
 public:
  /// Initial weights are drawn as ModelConfig.init says, unless there are to be none.
  TransformerImpl(const ModelConfig& config, const VocabSizes& vocab,
                  InitialWeights initial = InitialWeights::drawn);

  /// source [B, S], target_input [B, T] int64 -> logits [B, T, V]. attention, if given, receives
  /// every layer's maps.
  torch::Tensor forward(const torch::Tensor& source, const torch::Tensor& target_input,
                        AttentionMaps* attention = nullptr, const ForwardContext& context = {});

  /// As forward, without the output projection: [B, T, D]. What stands at padding of the target
  /// means nothing.
  torch::Tensor hidden(const torch::Tensor& source, const torch::Tensor& target_input,
                       AttentionMaps* attention = nullptr, const TokenDropoutMasks& factors = {},
                       const ForwardContext& context = {});
  /// hidden [..., D] -> logits [..., V]
  torch::Tensor project(const torch::Tensor& hidden, const ForwardContext& context = {});
  /// Whether the layers compute their forward pass again in the backward pass instead of keeping it
  /// (gradient_checkpointing.h).
  void set_gradient_checkpointing(bool on);
  /// The matrix of the output projection, [V, D].
  const torch::Tensor& output_weight() const { return projection_.weight; }
  /// Its bias, [V], or undefined.
  torch::Tensor output_bias() const { return projection_.bias; }
  /// The output projection as a product.
  const LinearPart& output_part() const { return projection_; }
  /// All products with weights, by slot: what a translation packs (packed_weights.h).
  const std::vector<LinearPart>& linear_parts() const { return parts_.all(); }

  /// Whether this model can decode source [B, S] with an IndirectKvCache: on the CPU, without
  /// rotary positions.
  bool supports_indirect_cache(const torch::Tensor& source) const { return can_unpad(source); }
  /// Encodes source [B, S] and gives an empty cache with one row per sentence: an IndirectKvCache
  /// if the model supports it and the options allow it, as it is the faster one. For inference.
  std::unique_ptr<KvCache> start(const torch::Tensor& source, const KvCacheOptions& options = {},
                                 const ForwardContext& context = {});
  /// tokens [R]: the newest token of each of the cache's rows -> logits of the next one [R, V], or
  /// of the subset's tokens only.
  torch::Tensor step(const torch::Tensor& tokens, KvCache& cache,
                     const VocabularySubset* subset = nullptr, const ForwardContext& context = {});

  int64_t parameter_count() const;

 private:
  torch::Tensor apply_token_dropout(torch::Tensor embedded, const torch::Tensor& factors) const;
  torch::Tensor embed(torch::nn::Embedding& embedding, PositionalEncoding& positions,
                      const torch::Tensor& ids, const TokenLayout& layout,
                      const torch::Tensor& factors = {}, int64_t first = 0);
  bool can_unpad(const torch::Tensor& ids) const;
  TokenLayout make_source_layout(const torch::Tensor& source, bool unpadded,
                                 int64_t row_multiple) const;
  TokenLayout make_target_layout(const torch::Tensor& target_input, bool unpadded,
                                 int64_t row_multiple) const;
  void initialise();

  ModelConfig config_;
  VocabSizes vocab_;
  torch::nn::Embedding source_embedding_{nullptr};
  // the same object as source_embedding_ where all embeddings are tied
  torch::nn::Embedding target_embedding_{nullptr};
  PositionalEncoding source_positions_{nullptr};
  PositionalEncoding target_positions_{nullptr};
  Encoder encoder_{nullptr};
  Decoder decoder_{nullptr};
  LinearParts parts_;
  LinearPart projection_;
};
TORCH_MODULE(Transformer);

}  // namespace tfm

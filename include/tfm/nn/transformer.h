// The Transformer (Vaswani et al. 2017): embeddings, encoder, decoder, output projection. Training
// and translation use the same definition: forward returns the logits of a whole target, while
// begin_decoding and step return the same logits token by token, with a KV cache.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
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
#include "tfm/tensor/log_sum_exp.h"
#include "tfm/tensor/packed_weight.h"

namespace tfm {

/// The sizes of the vocabularies, the ids of their padding tokens, and the id of the start token,
/// which only ModelConfig::zero_start needs.
struct VocabSizes {
  int64_t source = 0;
  int64_t target = 0;
  int64_t source_pad = 0;
  int64_t target_pad = 0;
  int64_t target_bos = -1;
};

/// The attention probabilities of every layer: encoder [B, H, S, S], decoder.self_attention [B, H,
/// T, T], decoder.cross_attention [B, H, T, S].
struct AttentionMaps {
  std::vector<torch::Tensor> encoder;
  DecoderAttentionMaps decoder;
};

/// Factors [B, S] and [B, T] that multiply the token embeddings before positions are added. An
/// undefined tensor stands for ones. With a factor of 0, only the position of the token remains.
struct TokenDropoutMasks {
  torch::Tensor source;
  torch::Tensor target;
};

/// Selected rows of the output projection, which give the logits of the selected tokens only. This
/// is for inference only.
class VocabularySubset {
 public:
  /// Selects the rows `tokens` [N] int64 of the output projection [V, D].
  VocabularySubset(const ForwardContext& context, const LinearPart& output,
                   const torch::Tensor& tokens);

  /// Projects hidden [..., D] to logits [..., N].
  torch::Tensor project(const torch::Tensor& hidden) const;
  /// Finds the maxima of the result of project, for hidden [N, D] (block_maxima_rows).
  NormalizedLogits project_maxima(const torch::Tensor& hidden, std::int64_t block_size) const;

 private:
  std::optional<PackedWeight> packed_;  // set if the context has packed weights
  torch::Tensor weight_;                // set if the context has no packed weights
  torch::Tensor bias_;
};

struct KvCacheOptions {
  /// Stores the attention of each step in the cache (KvCache::mean_attention). This selects a
  /// ContiguousKvCache and prevents the fused attention kernel.
  bool keeps_attention = false;
  /// Selects a ContiguousKvCache even if the model supports an IndirectKvCache.
  bool contiguous = false;
};

class TransformerImpl : public torch::nn::Module {
 public:
  /// Creates the network. Its initial weights are drawn as ModelConfig.init specifies, unless
  /// `initial` is InitialWeights::none.
  TransformerImpl(const ModelConfig& config, const VocabSizes& vocab,
                  InitialWeights initial = InitialWeights::drawn);

  /// Returns the logits [B, T, V] of the tokens that follow each position of target_input [B, T]
  /// int64, for source [B, S] int64. If `attention` is not nullptr, it receives the attention of
  /// every layer.
  torch::Tensor forward(const torch::Tensor& source, const torch::Tensor& target_input,
                        AttentionMaps* attention = nullptr, const ForwardContext& context = {});

  /// Computes the same as forward without the output projection: returns the decoder output [B, T,
  /// D], which project() turns into logits. The values at target padding are meaningless.
  torch::Tensor hidden(const torch::Tensor& source, const torch::Tensor& target_input,
                       AttentionMaps* attention = nullptr, const TokenDropoutMasks& factors = {},
                       const ForwardContext& context = {});
  /// Applies the output projection: hidden [..., D] -> logits [..., V].
  torch::Tensor project(const torch::Tensor& hidden, const ForwardContext& context = {});
  /// Finds the maxima of the result of project, for hidden [N, D] (block_maxima_rows).
  NormalizedLogits project_maxima(const torch::Tensor& hidden, std::int64_t block_size,
                                  const ForwardContext& context = {});
  /// Sets whether the layers repeat their forward pass in the backward pass instead of storing its
  /// intermediate results (gradient_checkpointing.h).
  void set_gradient_checkpointing(bool on);
  /// The matrix of the output projection, [V, D].
  const torch::Tensor& output_weight() const { return projection_.weight; }
  /// The bias of the output projection, [V], or undefined.
  torch::Tensor output_bias() const { return projection_.bias; }
  /// The output projection, in the form that linear() takes.
  const LinearPart& output_part() const { return projection_; }
  /// All matrices that the network multiplies by, ordered by slot. Inference packs them
  /// (packed_weights.h).
  const std::vector<LinearPart>& linear_parts() const { return parts_.all(); }

  /// Returns true if the model can decode with an IndirectKvCache: on the CPU, with weights in fp32
  /// or bf16 and, in training mode, without attention dropout.
  bool supports_indirect_cache() const { return can_unpad(); }
  /// Encodes source [B, S] and returns an empty cache with one row per sentence, for inference
  /// only. The cache is an IndirectKvCache, which is faster, if the model supports it and the
  /// options allow it.
  std::unique_ptr<KvCache> begin_decoding(const torch::Tensor& source,
                                          const KvCacheOptions& options = {},
                                          const ForwardContext& context = {});
  /// Encodes source [B, S] and adds a row for each sentence to the cache (KvCache::join).
  void join(const torch::Tensor& source, KvCache& cache, const ForwardContext& context = {});
  /// Decodes the newest token of each row of the cache, tokens [R]. Returns the logits [R, V] of
  /// the next tokens.
  torch::Tensor step(const torch::Tensor& tokens, KvCache& cache,
                     const ForwardContext& context = {});
  /// Computes the same as step without the output projection: returns the decoder output [R, D].
  torch::Tensor step_states(const torch::Tensor& tokens, KvCache& cache,
                            const ForwardContext& context = {});

  int64_t parameter_count() const;

 private:
  static torch::Tensor apply_token_dropout(const torch::Tensor& embedded,
                                           const torch::Tensor& factors);
  double embedding_scale() const;
  torch::Tensor embed(torch::nn::Embedding& embedding, PositionalEncoding& positions,
                      const torch::Tensor& ids, const TokenLayout& layout,
                      const torch::Tensor& factors = {}, int64_t first = 0);
  torch::Tensor target_factors(const torch::Tensor& ids, const torch::Tensor& factors = {}) const;
  torch::Tensor embed_step(const torch::Tensor& tokens, const KvCache& cache);
  bool can_unpad() const;
  int64_t sentences_to_encode(const torch::Tensor& source) const;
  std::vector<torch::Tensor> encode(const torch::Tensor& source, const TokenLayout& layout,
                                    const ForwardContext& context,
                                    const torch::Tensor& factors = {},
                                    AttentionMaps* attention = nullptr);
  TokenLayout make_source_layout(const torch::Tensor& source, bool unpadded,
                                 int64_t row_multiple) const;
  TokenLayout make_target_layout(const torch::Tensor& target_input, bool unpadded,
                                 int64_t row_multiple) const;
  void initialize_weights();

  ModelConfig config_;
  VocabSizes vocab_;
  torch::nn::Embedding source_embedding_{nullptr};
  // the same object as source_embedding_ if all embeddings are tied
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

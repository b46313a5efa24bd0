// The Transformer as a StepModel: search chooses the rows to continue, and this class keeps their
// KV cache.
#pragma once

#include <torch/types.h>

#include <memory>
#include <optional>
#include <span>

#include "tfm/nn/transformer.h"
#include "tfm/search/step_model.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

struct StepOptions {
  /// settings of the network's forward pass
  ForwardContext context{};
  /// makes attention() available after each step; the fused attention kernel is then not used
  bool wants_attention = false;
  /// the subset of the vocabulary to compute, in this order; empty for the whole vocabulary
  std::span<const TokenId> tokens{};
};

class TransformerStepModel : public StepModel {
 public:
  /// Encodes source [B, S], which is on the network's device; row i is sentence i. The network and
  /// options.tokens must outlive this object.
  TransformerStepModel(Transformer& network, const torch::Tensor& source,
                       const StepOptions& options = {});

  std::int64_t vocab_size() const override;
  std::span<const float> advance(std::span<const std::int32_t> parents,
                                 std::span<const std::int32_t> tokens) override;
  /// Returns the mean cross-attention over all layers and heads. It is empty unless
  /// options.wants_attention is set.
  std::span<const float> attention() const override;

 private:
  torch::Tensor full_ids(std::span<const std::int32_t> tokens) const;

  Transformer& network_;
  StepOptions options_;
  torch::Device device_;
  std::unique_ptr<KvCache> cache_;
  std::optional<VocabularySubset> output_rows_;  // the output projection onto options_.tokens
  // log-probabilities of the latest step, [N, V] fp32 on the CPU
  torch::Tensor log_probs_;
  // attention of the latest step, [N, S] fp32 on the CPU; undefined unless options_.wants_attention
  torch::Tensor attention_;
};

}  // namespace tfm

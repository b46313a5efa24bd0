// The Transformer as a StepModel: search chooses the rows to continue, and this class keeps their
// KV cache.
#pragma once

#include <torch/types.h>

#include <memory>
#include <optional>
#include <span>

#include "tfm/nn/transformer.h"
#include "tfm/search/step_model.h"
#include "tfm/tensor/log_sum_exp.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

struct StepOptions {
  /// settings of the network's forward pass
  ForwardContext context{};
  /// adds the attention to each StepOutput; the fused attention kernel is then not used
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
  /// The attention is the mean cross-attention over all layers and heads, if
  /// options.wants_attention is set.
  StepOutput advance(std::span<const std::int32_t> parents,
                     std::span<const std::int32_t> tokens) override;

 private:
  torch::Tensor full_ids(std::span<const std::int32_t> tokens) const;

  Transformer& network_;
  StepOptions options_;
  torch::Device device_;
  std::unique_ptr<KvCache> cache_;
  std::optional<VocabularySubset> output_rows_;  // the output projection onto options_.tokens
  NormalizedLogits next_;                        // of the latest step
  // attention of the latest step, [N, S] fp32 on the CPU; undefined unless options_.wants_attention
  torch::Tensor attention_;
};

}  // namespace tfm

// The Transformer as a StepModel: search decides which rows go on, this keeps their keys and
// values.
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
  /// how the network computes
  ForwardContext context{};
  /// attention() is available after each step, at the cost of the fused attention kernel
  bool wants_attention = false;
  /// the vocabulary, in this order, is only these tokens; empty: the whole one
  std::span<const TokenId> tokens{};
};

class TransformerStepModel : public StepModel {
 public:
  /// Encodes source [B, S] (on the network's device); sentence i is its row i. The network and the
  /// options' tokens must outlive this.
  TransformerStepModel(Transformer& network, const torch::Tensor& source,
                       const StepOptions& options = {});

  std::int64_t vocab_size() const override;
  std::span<const float> advance(std::span<const std::int32_t> parents,
                                 std::span<const std::int32_t> tokens) override;
  /// The mean over all layers and heads of the cross-attention.
  std::span<const float> attention() const override;

 private:
  torch::Tensor whole_ids(std::span<const std::int32_t> tokens) const;

  Transformer& network_;
  StepOptions options_;
  torch::Device device_;
  std::unique_ptr<KvCache> cache_;
  std::optional<VocabularySubset> output_rows_;  // of options_.tokens
  torch::Tensor log_probs_;                      // [R, V] fp32 on the CPU: what advance gave last
  torch::Tensor attention_;                      // [R, S] fp32 on the CPU, or undefined
};

}  // namespace tfm

// The Transformer as a StepModel: search chooses the rows to continue, and this class keeps their
// KV cache.
#pragma once

#include <torch/types.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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
  /// on a device that is not the CPU, the number of most probable tokens of each row to send at
  /// once; 0 for whole rows
  int64_t top_tokens = 0;
  /// if false, the outputs may be logits in place of log-probabilities
  bool log_probs = true;
};

class TransformerStepModel : public StepModel, private LogProbRows {
 public:
  /// Encodes source [B, S], which is on the network's device; row i is sentence i. The network and
  /// options.tokens must outlive this object.
  TransformerStepModel(Transformer& network, const torch::Tensor& source,
                       const StepOptions& options = {});

  /// Encodes further sentences, source [B, S], whose rows follow those of the latest step. Throws
  /// std::logic_error unless the network's cache supports it (KvCache::can_join).
  void join(const torch::Tensor& source) { network_->join(source, *cache_, options_.context); }

  /// Sets StepOptions::log_probs from the next step on.
  void require_log_probs() { options_.log_probs = true; }

  std::int64_t vocab_size() const override;
  /// The attention is the mean cross-attention over all layers and heads, if
  /// options.wants_attention is set.
  StepOutput advance(std::span<const std::int32_t> parents,
                     std::span<const std::int32_t> tokens) override;

 private:
  std::span<const float> row(std::size_t index) override;
  StepOutput step_to_rows(std::span<const std::int32_t> tokens);
  StepOutput step_to_top_tokens(std::span<const std::int32_t> tokens);
  /// Decodes the newest token of each row. Returns the decoder output [R, D].
  torch::Tensor decode(std::span<const std::int32_t> tokens);
  /// Returns the logits of the output tokens, [R, V], or those of the subset.
  torch::Tensor project(const torch::Tensor& states);
  NormalizedLogits project_maxima(const torch::Tensor& states, std::int64_t block);
  torch::Tensor full_ids(std::span<const std::int32_t> tokens) const;

  Transformer& network_;
  StepOptions options_;
  torch::Device device_;
  std::unique_ptr<KvCache> cache_;
  std::optional<VocabularySubset> output_rows_;  // the output projection onto options_.tokens
  NormalizedLogits next_;                        // of the latest step, if whole rows are sent
  // Otherwise:
  std::vector<ScoredToken> top_;                    // [N, options_.top_tokens]
  torch::Tensor log_probs_;                         // [N, V] fp32 on the device (or logits)
  std::map<std::size_t, torch::Tensor> sent_rows_;  // [V] on the CPU
  // attention of the latest step, [N, S] fp32 on the CPU; undefined unless options_.wants_attention
  torch::Tensor attention_;
};

}  // namespace tfm

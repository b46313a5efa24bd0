// The Transformer as a StepModel: search decides which rows go on, this keeps their keys and values.
#pragma once

#include <torch/types.h>

#include <variant>

#include "tfm/nn/transformer.h"
#include "tfm/search/step_model.h"

namespace tfm {

class TransformerStep : public StepModel {
 public:
  /// Encodes source [B, S] (on the network's device); sentence i is its row i. The network must outlive this.
  TransformerStep(Transformer& network, const torch::Tensor& source, int64_t vocab_size);

  std::int64_t vocab_size() const override { return vocab_size_; }
  std::span<const float> advance(std::span<const std::int32_t> parents, std::span<const std::int32_t> tokens) override;

 private:
  Transformer& network_;
  std::int64_t vocab_size_;
  torch::Device device_;
  std::variant<DecoderCache, RowCache> cache_;
  int64_t rows_;
  torch::Tensor log_probs_;  // [R, V] fp32 on the CPU: what advance gave last
};

}  // namespace tfm

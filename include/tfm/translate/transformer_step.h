// The Transformer as a StepModel: search decides which rows go on, this keeps their keys and values.
#pragma once

#include <torch/types.h>

#include <variant>

#include "tfm/nn/transformer.h"
#include "tfm/search/step_model.h"

namespace tfm {

class TransformerStep : public StepModel {
 public:
  /// Encodes source [B, S] (on the network's device); sentence i is its row i. The network must outlive this. wants_attention: each step tells its
  /// attention, which costs the fused attention kernel.
  TransformerStep(Transformer& network, const torch::Tensor& source, int64_t vocab_size, bool wants_attention = false);

  std::int64_t vocab_size() const override { return vocab_size_; }
  std::span<const float> advance(std::span<const std::int32_t> parents, std::span<const std::int32_t> tokens) override;
  /// The mean over all layers and heads of the cross-attention.
  std::span<const float> attention() const override;

 private:
  torch::Tensor step(const torch::Tensor& tokens, DecoderCache& cache);
  torch::Tensor step(const torch::Tensor& tokens, RowCache& cache);

  Transformer& network_;
  std::int64_t vocab_size_;
  torch::Device device_;
  std::variant<DecoderCache, RowCache> cache_;
  int64_t rows_;
  bool wants_attention_;
  torch::Tensor log_probs_;  // [R, V] fp32 on the CPU: what advance gave last
  torch::Tensor attention_;  // [R, S] fp32 on the CPU, or undefined
};

}  // namespace tfm

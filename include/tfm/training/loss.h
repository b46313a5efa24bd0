// Cross-entropy with label smoothing (Szegedy et al. 2016, section 7): for each target token, (1 - e) * -log p(y) + e/V * sum_v -log p(v).
// Padding does not count. The sum, not the mean, so that the batches of one accumulated update can be weighed by their tokens.
#pragma once

#include <torch/types.h>

namespace tfm {

struct LossSums {
  torch::Tensor smoothed;  ///< scalar: what is minimised
  torch::Tensor plain;     ///< scalar without gradient: -log p(y), whose mean's exponential is the perplexity
};

/// logits [B, T, V], targets [B, T] int64.
LossSums cross_entropy_sums(const torch::Tensor& logits, const torch::Tensor& targets, int64_t pad, double label_smoothing);

}  // namespace tfm

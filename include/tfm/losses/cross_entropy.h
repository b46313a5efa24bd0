// Cross-entropy with label smoothing (Szegedy et al. 2016, section 7): for each target token, (1 -
// e) * -log p(y) + e/V * sum_v -log p(v). Padding does not count. The sum, not the mean, so that
// the batches of one accumulated update can be weighed by their tokens.
#pragma once

#include <torch/types.h>

namespace tfm {

struct LossSums {
  torch::Tensor smoothed;  ///< scalar: what is minimised
  /// scalar without gradient: -log p(y), whose mean's exponential is the perplexity
  torch::Tensor plain;
};

/// logits [B, T, V], targets [B, T] int64.
LossSums cross_entropy_sums(const torch::Tensor& logits, const torch::Tensor& targets, int64_t pad,
                            double label_smoothing);

/// What two predictions of one target are held to: each to the target, and each to the other.
struct ConsistencyLoss {
  double label_smoothing = 0;
  double first = 1;   ///< weight of the first one's cross-entropy
  double second = 0;  ///< and of the second one's; both add up to 1
  /// weight of KL(first || second), over the vocabulary and summed over tokens
  double forward = 0;
  double backward = 0;  ///< and of KL(second || first)
};

/// logits [B, T, V] of both, targets [B, T]. The gradient flows through both sides of a divergence.
/// plain is weighted as the cross-entropies are.
LossSums consistency_loss_sums(const torch::Tensor& first, const torch::Tensor& second,
                               const torch::Tensor& targets, int64_t pad,
                               const ConsistencyLoss& loss);

}  // namespace tfm

// Computes the cross-entropy with label smoothing (Szegedy et al. 2016, section 7). For a target
// token y, it is (1 - e) * -log p(y) + e/V * sum_v -log p(v), with e = label_smoothing and V the
// size of the vocabulary. Padding is ignored. Losses are summed, not averaged, so that the batches
// of one accumulated update can be weighted by their tokens.
#pragma once

#include <torch/types.h>

namespace tfm {

struct LossSums {
  torch::Tensor smoothed;  ///< scalar: the loss to minimise
  /// scalar without gradient: the sum of -log p(y) over all tokens. The perplexity is the
  /// exponential of the mean per token.
  torch::Tensor plain;
};

/// The targets of a batch.
struct Targets {
  torch::Tensor ids;  ///< [N] int64
  int64_t pad = 0;
  /// number of ids that are not padding; given, because counting them would wait for the device
  int64_t tokens = 0;
  /// [N] fp32: the factor of each target's loss; undefined if all are 1
  torch::Tensor weights = {};
};

/// Returns the loss of logits [B, T, V] for targets [B, T] int64.
LossSums cross_entropy_sums(const torch::Tensor& logits, const torch::Tensor& targets, int64_t pad,
                            double label_smoothing);

/// The weights of the terms of a consistency loss: the cross-entropies of two predictions of the
/// same target, and the two KL divergences between the predictions.
struct ConsistencyLoss {
  double label_smoothing = 0;
  double first = 1;   ///< weight of the first prediction's cross-entropy
  double second = 0;  ///< weight of the second prediction's cross-entropy: 1 - first
  /// weight of KL(first || second), summed over the vocabulary and over tokens
  double forward = 0;
  double backward = 0;  ///< weight of KL(second || first)
};

/// Returns the loss of two predictions, logits [B, T, V] each, for targets [B, T]. Both predictions
/// receive gradients from each divergence. The returned `plain` is the sum of both predictions'
/// -log p(y), weighted by `first` and `second`.
LossSums consistency_loss_sums(const torch::Tensor& first, const torch::Tensor& second,
                               const torch::Tensor& targets, int64_t pad,
                               const ConsistencyLoss& loss);

}  // namespace tfm

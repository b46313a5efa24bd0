// Computes the consistency loss (R-Drop, SimCut) of one pair of rows of logits. The gradient
// replaces the logits in place.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

/// The weights of a ConsistencyLoss (losses/cross_entropy.h) in fp32.
struct ConsistencyWeights {
  float smoothing, first, second, forward, backward;
};

struct ConsistencyLosses {
  float smoothed;  ///< the loss, with label smoothing and divergences
  float plain;     ///< weighted sum of -log p(target) of both predictions
};

/// Replaces `first` and `second` [size], the logits of two predictions of `target`, by their
/// gradients. Returns the loss.
ConsistencyLosses consistency_loss_gradient(float* first, float* second, int64_t size,
                                            int64_t target, const ConsistencyWeights& weights);
ConsistencyLosses consistency_loss_gradient(Bf16* first, Bf16* second, int64_t size, int64_t target,
                                            const ConsistencyWeights& weights);

}  // namespace tfm

// The consistency loss (R-Drop, SimCut) of one pair of rows of logits, whose gradient replaces the
// logits.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

/// ConsistencyLoss (losses/cross_entropy.h) in fp32.
struct ConsistencyWeights {
  float smoothing, first, second, forward, backward;
};

struct ConsistencyLosses {
  float smoothed;
  float plain;  ///< -log p(target), weighted
};

/// first, second [size]: the logits of two predictions of `target`; each becomes its gradient.
ConsistencyLosses consistency_loss_gradient(float* first, float* second, int64_t size,
                                            int64_t target, const ConsistencyWeights& weights);
ConsistencyLosses consistency_loss_gradient(Bf16* first, Bf16* second, int64_t size, int64_t target,
                                            const ConsistencyWeights& weights);

}  // namespace tfm

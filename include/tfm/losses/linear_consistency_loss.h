// Computes the output projection and the loss of two predictions of each target (ConsistencyLoss in
// cross_entropy.h) in one operation, like linear_cross_entropy.h. One chunk of prediction pairs is
// projected at a time, and the gradient of its logits replaces the logits in place. The reference
// implementation is the projection followed by consistency_loss_sums.
#pragma once

#include <torch/types.h>

#include "tfm/losses/linear_cross_entropy.h"

namespace tfm {

/// Returns the loss of hidden [2N, D], which holds the first predictions of all targets, then the
/// second predictions, for N targets.
LossSums linear_consistency_loss(const torch::Tensor& hidden, const OutputProjection& projection,
                                 const Targets& targets, const ConsistencyLoss& loss);

}  // namespace tfm

// Output projection and the loss of two predictions of each target (ConsistencyLoss in
// cross_entropy.h) in one operation, as linear_cross_entropy.h does it for one: a chunk of token
// pairs at a time, whose logits become their own gradient in place. Its reference is
// consistency_loss_sums.
#pragma once

#include <torch/types.h>

#include "tfm/losses/linear_cross_entropy.h"

namespace tfm {

/// hidden [2N, D]: the first prediction of every target, then the second of every target; targets
/// [N] int64.
LossSums linear_consistency_loss(const torch::Tensor& hidden, const OutputProjection& projection,
                                 const torch::Tensor& targets, int64_t pad,
                                 const ConsistencyLoss& loss);

}  // namespace tfm

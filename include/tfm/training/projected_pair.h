// Output projection and the loss of two predictions of each target (PairLoss in loss.h) in one
// operation, as projected_loss.h does it for one: a chunk of token pairs at a time, whose logits
// become their own gradient in place. Its reference is pair_loss_sums.
#pragma once

#include <torch/types.h>

#include "tfm/training/projected_loss.h"

namespace tfm {

/// hidden [2N, D]: the first prediction of every target, then the second of every target; targets
/// [N] int64.
LossSums projected_pair_loss(const torch::Tensor& hidden, const Projection& projection,
                             const torch::Tensor& targets, int64_t pad, const PairLoss& loss);

}  // namespace tfm

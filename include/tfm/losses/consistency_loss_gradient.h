// The inner loop of linear_consistency_loss.h: replaces rows of logits by the gradient of a
// ConsistencyLoss in place.
#pragma once

#include <torch/types.h>

#include "tfm/losses/cross_entropy.h"

namespace tfm {

/// Replaces logits [2N, V], contiguous fp32 or bf16 on the CPU, by their gradient. Row 2i is the
/// first prediction of target i, and row 2i + 1 the second. targets is [N] int64. `smoothed` [N]
/// fp32 receives the loss of each target. `plain` [N] fp32 receives the weighted sum of -log p(y)
/// of both predictions.
void consistency_loss_backward_(torch::Tensor& logits, const torch::Tensor& targets,
                                const ConsistencyLoss& loss, torch::Tensor& smoothed,
                                torch::Tensor& plain);

}  // namespace tfm

// The inner loop of linear_consistency_loss.h: rows of logits become, in place, the gradient of a
// ConsistencyLoss by them.
#pragma once

#include <torch/types.h>

#include "tfm/losses/cross_entropy.h"

namespace tfm {

/// logits [2N, V], contiguous, fp32 or bf16, on the CPU: row 2i is the first prediction of target i
/// and row 2i + 1 the second; targets [N] int64. smoothed [N] fp32 receives each target's loss,
/// plain [N] its -log p(y), weighted.
void consistency_loss_backward_(torch::Tensor& logits, const torch::Tensor& targets,
                                const ConsistencyLoss& loss, torch::Tensor& smoothed,
                                torch::Tensor& plain);

}  // namespace tfm

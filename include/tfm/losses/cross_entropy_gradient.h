// The inner loop of linear_cross_entropy.h: rows of logits become, in place, the gradient of the
// smoothed cross-entropy by them.
#pragma once

#include <torch/types.h>

namespace tfm {

/// logits [N, V], contiguous, fp32 or bf16, on the CPU; targets [N] int64. With e = label_smoothing
/// and p = softmax(logits), each row becomes p - (1 - e) onehot(y) - e / V. plain [N] fp32 receives
/// -log p(y), uniform [N] the mean of -log p(v) over v.
void cross_entropy_backward_(torch::Tensor& logits, const torch::Tensor& targets,
                             double label_smoothing, torch::Tensor& plain, torch::Tensor& uniform);

}  // namespace tfm

// The inner loop of linear_cross_entropy.h: replaces rows of logits by the gradient of the smoothed
// cross-entropy in place.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Replaces logits [N, V], contiguous fp32 or bf16 on the CPU, by their gradient: each row becomes
/// p - (1 - e) onehot(y) - e / V, with e = label_smoothing and p = softmax(logits). targets is [N]
/// int64. `plain` [N] fp32 receives -log p(y), and `uniform` [N] fp32 the mean of -log p(v) over
/// all tokens v.
void cross_entropy_backward_(torch::Tensor& logits, const torch::Tensor& targets,
                             double label_smoothing, torch::Tensor& plain, torch::Tensor& uniform);

}  // namespace tfm

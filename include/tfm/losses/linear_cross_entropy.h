// Output projection and label-smoothed cross-entropy in one operation, forward and backward in one
// pass: a chunk of tokens at a time is projected and its logits become their own gradient in place,
// so that [tokens, V] never exists and padding costs nothing. Equal to projecting and calling
// cross_entropy_sums (cross_entropy.h), which is its reference.
#pragma once

#include <torch/types.h>

#include "tfm/losses/cross_entropy.h"

namespace tfm {

/// The output layer: weight [V, D], bias [V] or undefined.
struct OutputProjection {
  torch::Tensor weight;
  torch::Tensor bias;
};

/// hidden [N, D], targets [N] int64. With e = label_smoothing, the gradient of a token's loss by
/// its logits is softmax - (1 - e) onehot(y) - e / V.
LossSums linear_cross_entropy(const torch::Tensor& hidden, const OutputProjection& projection,
                              const torch::Tensor& targets, int64_t pad, double label_smoothing);

}  // namespace tfm

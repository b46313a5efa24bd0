// Output projection and label-smoothed cross-entropy in one operation, forward and backward in one
// pass: a chunk of tokens at a time is projected and its logits become their own gradient in place,
// so that [tokens, V] never exists and padding costs nothing. Equal to projecting and calling
// cross_entropy_sums (cross_entropy.h), which is its reference.
#pragma once

#include <torch/types.h>

#include "tfm/losses/cross_entropy.h"

namespace tfm {

/// The output layer: weight [V, D], bias [V] or undefined, which receive gradients; and their bf16
/// copies (WeightCasts, autocast.h), if the products are computed with copies.
struct OutputProjection {
  torch::Tensor weight;
  torch::Tensor bias;
  torch::Tensor cast_weight = {};
  torch::Tensor cast_bias = {};

  /// What the products are computed with, without gradient.
  torch::Tensor factor() const { return (cast_weight.defined() ? cast_weight : weight).detach(); }
  torch::Tensor shift() const {
    const auto& tensor = cast_weight.defined() ? cast_bias : bias;
    return tensor.defined() ? tensor.detach() : tensor;
  }
};

/// hidden [N, D], targets [N] int64. With e = label_smoothing, the gradient of a token's loss by
/// its logits is softmax - (1 - e) onehot(y) - e / V.
LossSums linear_cross_entropy(const torch::Tensor& hidden, const OutputProjection& projection,
                              const torch::Tensor& targets, int64_t pad, double label_smoothing);

}  // namespace tfm

// Computes the output projection and the label-smoothed cross-entropy in one operation, together
// with their gradients. One chunk of tokens is projected at a time, and the gradient of its logits
// replaces the logits in place. The logits [tokens, V] are therefore never stored in full. Padding
// is not projected. The reference implementation is the projection followed by cross_entropy_sums
// (cross_entropy.h).
#pragma once

#include <torch/types.h>

#include "tfm/losses/cross_entropy.h"

namespace tfm {

/// The output layer. Its weight [V, D] and bias [V] receive gradients; the bias may be undefined.
/// If the multiplication uses bf16 copies (WeightCasts in autocast.h), cast_weight and cast_bias
/// are these copies; otherwise both are undefined.
struct OutputProjection {
  torch::Tensor weight;
  torch::Tensor bias;
  torch::Tensor cast_weight = {};
  torch::Tensor cast_bias = {};

  /// Returns the weight that the GEMM multiplies by, without gradient; gemm_bias() returns the
  /// bias.
  torch::Tensor gemm_weight() const {
    return (cast_weight.defined() ? cast_weight : weight).detach();
  }
  torch::Tensor gemm_bias() const {
    const auto& tensor = cast_weight.defined() ? cast_bias : bias;
    return tensor.defined() ? tensor.detach() : tensor;
  }
};

/// Returns the loss of hidden [N, D] for N targets. With e = label_smoothing, the gradient
/// with respect to a token's logits is softmax - (1 - e) onehot(y) - e / V.
LossSums linear_cross_entropy(const torch::Tensor& hidden, const OutputProjection& projection,
                              const Targets& targets, double label_smoothing);

}  // namespace tfm

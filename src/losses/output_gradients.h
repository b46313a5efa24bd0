// What operations over the output layer share: logits exist a chunk of tokens at a time, become
// their own gradient in place, and that goes at once into the gradients of the layer's input,
// weight and bias.
#pragma once

#include <torch/autograd.h>
#include <torch/types.h>

#include "tfm/losses/linear_cross_entropy.h"

namespace tfm {

/// Tokens projected at once: their logits stay within the processor's caches, and the products are
/// large enough to run at full speed.
int64_t chunk_rows(int64_t vocab_size);

/// x [N, ...] with zero rows at its end, so that bf16 products have few numbers of rows.
torch::Tensor with_whole_rows(const torch::Tensor& x, torch::ScalarType products);

struct ProjectionGradients {
  /// hidden [N, D] and the factors that it is projected with, in the number format of products.
  ProjectionGradients(const torch::Tensor& hidden, const OutputProjection& factors);

  /// logit_gradient [R, V] of chunk [R, D], whose first token is `begin`.
  void add(const torch::Tensor& chunk, const torch::Tensor& logit_gradient,
           const OutputProjection& factors, int64_t begin);

  torch::TensorOptions sums;  ///< fp64 for fp64, else fp32: what is summed over chunks
  torch::Tensor hidden;       ///< [N, D]
  torch::Tensor weight;       ///< [V, D]
  torch::Tensor bias;         ///< [V], or undefined
};

/// The backward pass of an operation whose eight inputs begin with the layer's input, weight and
/// bias, and which saved their gradients in its forward pass: scales these gradients.
torch::autograd::variable_list scale_saved_gradients(torch::autograd::AutogradContext& context,
                                                     const torch::Tensor& scale);

}  // namespace tfm

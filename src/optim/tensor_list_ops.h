// Operations on lists of tensors, which update a whole model in a few passes over memory. In
// LibTorch, they are private operators (`_foreach_*`, `_fused_*`), whose arguments may change
// between versions. Therefore, only tensor_list_ops.cpp calls them. Tested with LibTorch 2.13.0.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/config/config.h"

namespace tfm {

using Tensors = std::vector<torch::Tensor>;

/// Returns the Euclidean norm over the elements of all tensors as a scalar, or 0 for an empty list.
torch::Tensor norm_over(const Tensors& tensors);
/// Multiplies all tensors by the factor, in place.
void scale(const Tensors& tensors, double factor);
/// Computes means += share * (values - means).
void interpolate(const Tensors& means, const Tensors& values, double share);

/// The parameters that one optimizer step updates, and the state of each.
struct UpdateGroup {
  Tensors parameters, gradients;
  Tensors moment1;  ///< SGD's momenta, or Adam's means of gradients
  Tensors moment2;  ///< Adam's means of squared gradients
  Tensors steps;    ///< Adam's number of updates so far, an fp32 scalar per parameter
};

/// Makes one step of SGD with momentum and weight decay (torch.optim.SGD without dampening).
void sgd_step(const UpdateGroup& group, const TrainingConfig& config, double learning_rate);
/// Makes one step of Adam (Kingma & Ba 2015, algorithm 1), or of AdamW (Loshchilov & Hutter 2019,
/// algorithm 2) if the optimizer of the config is adamw.
void adam_step(const UpdateGroup& group, const TrainingConfig& config, double learning_rate);

}  // namespace tfm

// Operations over lists of tensors, which update a whole model in a few passes over memory.
// LibTorch has them as private operators (`_foreach_*`, `_fused_*`), whose arguments may change
// from version to version: no other file names them. Tried with LibTorch 2.13.0.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/config/config.h"

namespace tfm {

using Tensors = std::vector<torch::Tensor>;

/// The Euclidean norm over the elements of all tensors; 0 for no tensor.
double norm_over(const Tensors& tensors);
/// tensors *= factor
void scale(const Tensors& tensors, double factor);
/// means += share * (values - means)
void interpolate(const Tensors& means, const Tensors& values, double share);

/// The parameters that one optimizer step updates, and the state that belongs to each of them.
struct UpdateGroup {
  Tensors parameters, gradients;
  Tensors first;   ///< SGD's momenta, or Adam's means of gradients
  Tensors second;  ///< Adam's means of squared gradients
  Tensors steps;   ///< Adam's updates so far, each a scalar of fp32
};

/// One step of SGD with momentum and weight decay (torch.optim.SGD without dampening).
void sgd_step(const UpdateGroup& group, const TrainingConfig& config, double learning_rate);
/// One step of Adam (Kingma and Ba 2015, algorithm 1), or of AdamW (Loshchilov and Hutter 2019,
/// algorithm 2) if the config's optimizer is adamw.
void adam_step(const UpdateGroup& group, const TrainingConfig& config, double learning_rate);

}  // namespace tfm

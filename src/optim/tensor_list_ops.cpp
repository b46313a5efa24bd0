#include "optim/tensor_list_ops.h"

namespace tfm {

torch::Tensor norm_over(const Tensors& tensors) {
  if (tensors.empty()) return torch::zeros({});
  return torch::stack(at::_foreach_norm(tensors, 2)).norm();
}

void scale(const Tensors& tensors, double factor) { at::_foreach_mul_(tensors, factor); }

void interpolate(const Tensors& means, const Tensors& values, double share) {
  at::_foreach_lerp_(means, values, share);
}

void sgd_step(const UpdateGroup& group, const TrainingConfig& config, double learning_rate) {
  // Without momentum, the operator takes no buffers.
  const auto momenta = config.momentum > 0 ? group.moment1 : Tensors();
  at::_fused_sgd_(group.parameters, group.gradients, momenta, config.weight_decay, config.momentum,
                  learning_rate, /*dampening=*/0.0, /*nesterov=*/false, /*maximize=*/false,
                  /*is_first_step=*/false);
}

void adam_step(const UpdateGroup& group, const TrainingConfig& config, double learning_rate) {
  at::_foreach_add_(group.steps, 1);
  const auto update = [&](auto&& operation) {
    operation(group.parameters, group.gradients, group.moment1, group.moment2,
              /*max_exp_avg_sqs=*/Tensors(), group.steps, learning_rate, config.beta1, config.beta2,
              config.weight_decay, config.epsilon, /*amsgrad=*/false, /*maximize=*/false,
              /*grad_scale=*/std::nullopt, /*found_inf=*/std::nullopt);
  };
  if (config.optimizer == OptimizerKind::adamw) {
    update([](auto&&... arguments) { at::_fused_adamw_(arguments...); });
  } else {
    update([](auto&&... arguments) { at::_fused_adam_(arguments...); });
  }
}

}  // namespace tfm

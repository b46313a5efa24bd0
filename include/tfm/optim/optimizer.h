// Implements Adam (Kingma & Ba 2015), AdamW (Loshchilov & Hutter 2019) and SGD with momentum, using
// LibTorch's fused kernels. The state is a set of named tensors, so a checkpoint stores it in the
// same format as the weights.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/optim/loss_scale.h"
#include "tfm/optim/moving_average.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

class Optimizer {
 public:
  /// Stores the module's parameters; the tensors share storage with the module. Adam and SGD add
  /// weight_decay times the parameter to its gradient. AdamW decouples weight decay from the
  /// gradient.
  Optimizer(const TrainingConfig& config, const torch::nn::Module& module);

  void zero_grad();
  /// Returns the joint L2 norm of all gradients, a scalar on their device, with the loss scale, if
  /// any. The gradients of frozen embeddings (embedding_rate_factor 0) are ignored.
  torch::Tensor gradient_norm() const;
  /// Removes the loss scale, if any, from these gradients, and scales them so that their norm,
  /// which is `norm` without the loss scale, is at most max_norm. With a max_norm of 0, it is not
  /// limited.
  void clip(double norm, double max_norm);
  /// Makes one update with this learning rate, multiplied by embedding_rate_factor for embeddings,
  /// and updates the moving average, if any. A parameter without a gradient does not change.
  void step(double learning_rate);

  /// The moving average of the weights, or nullopt if ema_decay is 0.
  std::optional<ExponentialMovingAverage>& average() { return average_; }

  /// Adds a loss scale, which state() then contains.
  void use_loss_scale() { loss_scale_.emplace(); }
  /// The scale of the loss in fp16, or nullopt in other data types.
  std::optional<LossScale>& loss_scale() { return loss_scale_; }

  /// Returns "exp_avg.NAME", "exp_avg_sq.NAME" and "step.NAME" (Adam) or "momentum.NAME" (SGD) for
  /// each parameter, the state of the moving average, if any, and "loss_scale", if there is one.
  StateDict state() const;
  /// Restores a saved state. Throws ModelError if a tensor is missing or has another shape. Only
  /// the loss scale may be missing, after training in another data type.
  /// source_file is the file of the state, for messages.
  void load_state(const StateDict& state, const std::filesystem::path& source_file);

 private:
  struct Slot {
    std::string name;
    torch::Tensor parameter;
    bool embedding = false;
    torch::Tensor moment1;  // mean of gradients, or momentum
    torch::Tensor moment2;  // mean of squared gradients; undefined for SGD
    torch::Tensor steps;    // Adam's number of updates so far, an fp32 scalar
  };

  std::vector<torch::Tensor> gather(torch::Tensor Slot::* member,
                                    std::optional<bool> embeddings = std::nullopt) const;
  std::vector<torch::Tensor> moving_gradients() const;
  StateDict own_state() const;
  void step_group(double learning_rate, std::optional<bool> embeddings);

  TrainingConfig config_;
  std::vector<Slot> slots_;
  std::optional<ExponentialMovingAverage> average_;
  std::optional<LossScale> loss_scale_;
};

}  // namespace tfm

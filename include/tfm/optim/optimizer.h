// Adam (Kingma & Ba 2015), AdamW (Loshchilov & Hutter 2019) and SGD with momentum, through
// LibTorch's fused kernels. State is a set of named tensors, so that a checkpoint holds it in the
// same format as the weights.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/optim/moving_average.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

class Optimizer {
 public:
  /// Keeps the module's parameters (shared storage). weight_decay: added to the gradient for Adam
  /// and SGD, decoupled for AdamW.
  Optimizer(const TrainingConfig& config, const torch::nn::Module& module);

  void zero_grad();
  /// Scales all gradients so that their joint L2 norm is at most max_norm (0: no limit). Returns
  /// the norm before.
  double clip(double max_norm);
  /// One update with this learning rate, embeddings with embedding_rate_factor times it. A
  /// parameter without gradient stays as it is.
  void step(double learning_rate);

  /// The moving average of the weights, where ema_decay asks for one.
  std::optional<ExponentialMovingAverage>& average() { return average_; }

  /// "exp_avg.NAME", "exp_avg_sq.NAME", "step.NAME" or "momentum.NAME" for each parameter, and what
  /// ExponentialMovingAverage::state gives.
  StateDict state() const;
  /// Throws ModelError naming what is missing.
  void load_state(const StateDict& state, const std::filesystem::path& origin);

 private:
  struct Slot {
    std::string name;
    torch::Tensor parameter;
    bool embedding = false;
    torch::Tensor first;   // mean of gradients, or momentum
    torch::Tensor second;  // mean of squared gradients
    torch::Tensor steps;   // scalar fp32, as the fused kernels count
  };

  std::vector<torch::Tensor> gather(torch::Tensor Slot::* member,
                                    std::optional<bool> embeddings = std::nullopt) const;
  StateDict own_state() const;
  void step_group(double learning_rate, std::optional<bool> embeddings);

  TrainingConfig config_;
  std::vector<Slot> slots_;
  std::optional<ExponentialMovingAverage> average_;
};

}  // namespace tfm

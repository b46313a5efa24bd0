// An exponential moving average of a module's weights (temporal averaging: Kingma & Ba 2015,
// section 7.2, after Polyak & Juditsky 1992). It is bias-corrected: it is a weighted mean of the
// weights after each update so far. The newest weights have the factor 1, the previous ones
// `decay`, those before `decay`^2, and so on.
#pragma once

#include <torch/nn/module.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tfm/tensor/safetensors.h"

namespace tfm {

class ExponentialMovingAverage {
 public:
  /// Stores the module's parameters; the tensors share storage with the module. decay is in (0, 1).
  ExponentialMovingAverage(double decay, const torch::nn::Module& module);

  /// Adds the current weights to the average.
  void update();

  /// Returns the average of each parameter as "average.NAME", and the number of updates as
  /// "average_updates". The tensors share storage with this object.
  StateDict state() const;
  /// Restores a saved average. If the state has no average, because its run did not use ema_decay,
  /// averaging starts with the next update. Throws ModelError if the state does not match the
  /// module. source_file is the file of the state, for messages.
  void load_state(const StateDict& state, const std::filesystem::path& source_file);

  /// Exchanges the module's weights with the average. Does nothing before the first update.
  void swap();

 private:
  double decay_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> means_;
  torch::Tensor updates_;  // scalar int64
};

/// Gives the module the weights of the average until destruction.
class EmaWeightsGuard {
 public:
  /// Does nothing if `average` is empty.
  explicit EmaWeightsGuard(std::optional<ExponentialMovingAverage>& average) : average_(average) {
    if (average_) average_->swap();
  }
  ~EmaWeightsGuard() {
    if (average_) average_->swap();
  }
  EmaWeightsGuard(const EmaWeightsGuard&) = delete;
  EmaWeightsGuard& operator=(const EmaWeightsGuard&) = delete;

 private:
  std::optional<ExponentialMovingAverage>& average_;
};

}  // namespace tfm

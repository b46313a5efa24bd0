// A moving average of a module's weights, one share of it replaced after every update (temporal
// averaging: Kingma & Ba 2015, section 7.2, after Polyak & Juditsky 1992). It is without bias:
// after n updates it is the mean of the n weights so far, the newest weighing 1 and each earlier
// one `decay` times the next.
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
  /// Keeps the module's parameters (shared storage). decay in (0, 1).
  ExponentialMovingAverage(double decay, const torch::nn::Module& module);

  /// Takes the weights in as they are now.
  void update();

  /// "average.NAME" for each parameter and "average_updates", a count.
  StateDict state() const;
  /// Goes on from a state. One without an average (its run had none) leaves it to begin with the
  /// next update; one that does not fit throws ModelError.
  void load_state(const StateDict& state, const std::filesystem::path& origin);

  /// Exchanges the module's weights with the average; does nothing before the first update.
  void swap();

 private:
  double decay_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> means_;
  torch::Tensor updates_;  // scalar int64
};

/// The module has the average's weights for as long as this lives.
class EmaWeightsGuard {
 public:
  /// Nothing: does nothing.
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

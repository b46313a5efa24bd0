// Puts a module into evaluation mode (no dropout) until destruction, then back into training mode
// if it was in training mode before. A module that is already in evaluation mode is not written to,
// so several threads may use it at once.
#pragma once

#include <torch/nn/module.h>

namespace tfm {

class EvalModeGuard {
 public:
  explicit EvalModeGuard(torch::nn::Module& module)
      : module_(module), was_training_(module.is_training()) {
    if (was_training_) module_.eval();
  }
  ~EvalModeGuard() {
    if (was_training_) module_.train();
  }
  EvalModeGuard(const EvalModeGuard&) = delete;
  EvalModeGuard& operator=(const EvalModeGuard&) = delete;

 private:
  torch::nn::Module& module_;
  bool was_training_;
};

}  // namespace tfm

// Takes a module to evaluation mode (no dropout) for as long as this lives, and back to training
// mode if it was in it. A module in evaluation mode is not written to, so that several threads may
// use it at once.
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

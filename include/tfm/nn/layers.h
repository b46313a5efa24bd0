// LibTorch's layers as the network makes them. Their initial weights cost time and memory, for
// nothing where a file's take their place: while an EmptyWeightsGuard lives on a thread, matrices
// of networks made there have their shapes only, and no memory: assign_parameters (safetensors.h)
// gives it to them. To make such a network takes no random numbers from whoever trains.
#pragma once

#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>

namespace tfm {

class EmptyWeightsGuard {
 public:
  EmptyWeightsGuard();
  ~EmptyWeightsGuard();
  EmptyWeightsGuard(const EmptyWeightsGuard&) = delete;
  EmptyWeightsGuard& operator=(const EmptyWeightsGuard&) = delete;

  static bool wanted() { return wanted_; }

 private:
  static inline thread_local bool wanted_ = false;
  bool before_;
  torch::Tensor random_numbers_;  // the state of the CPU's generator
};

/// A tensor to be filled.
torch::Tensor make_weight(torch::IntArrayRef shape);

/// [..., in] -> [..., out]
torch::nn::Linear make_linear(int64_t in, int64_t out, bool bias);

/// Ids below count -> [..., width].
torch::nn::Embedding make_embedding(int64_t count, int64_t width);

}  // namespace tfm

// LibTorch's layers as the network makes them. Initial weights cost time and memory, for nothing if
// a file's weights replace them. While an EmptyWeightsGuard lives on a thread, the matrices of
// networks made there have their shapes only, and no memory until assign_parameters (state_dict.h)
// gives it to them. The guard leaves the random generators as they were.
#pragma once

#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>

#include "tfm/tensor/linear_part.h"
#include "tfm/tensor/random_state.h"

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
  bool previous_;
  RandomStateGuard random_state_{torch::kCPU};
};

/// A tensor to be filled.
torch::Tensor make_weight(torch::IntArrayRef shape);

/// [..., in] -> [..., out]
torch::nn::Linear make_linear(int64_t in, int64_t out, bool bias);

/// Adds a layer's product to the network's.
LinearPart add_linear(LinearParts& parts, const torch::nn::Linear& layer);

/// Ids below count -> [..., width].
torch::nn::Embedding make_embedding(int64_t count, int64_t width);

}  // namespace tfm

// The position-wise feed-forward sublayer (Vaswani et al. 2017, section 3.3): W2 activation(W1 x).
// swiglu (Shazeer 2020) gates it: W2 (silu(Wg x) * W1 x).
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "tfm/config/config.h"

namespace tfm {

class FeedForwardImpl : public torch::nn::Module {
 public:
  explicit FeedForwardImpl(const ModelConfig& config);

  /// x [B, T, D] -> [B, T, D]
  torch::Tensor forward(const torch::Tensor& x);

 private:
  Activation activation_;
  double dropout_;
  torch::nn::Linear input_;
  torch::nn::Linear output_;
  torch::nn::Linear gate_{nullptr};  // swiglu only
};
TORCH_MODULE(FeedForward);

}  // namespace tfm

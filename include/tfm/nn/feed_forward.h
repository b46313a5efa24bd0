// The position-wise feed-forward sublayer (Vaswani et al. 2017, section 3.3): W2 activation(W1 x).
// With swiglu (Shazeer 2020), it is gated: W2 (silu(Wg x) * W1 x).
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "tfm/config/config.h"
#include "tfm/nn/layers.h"
#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/linear_part.h"

namespace tfm {

class FeedForwardImpl : public torch::nn::Module {
 public:
  FeedForwardImpl(const ModelConfig& config, LayerFactory& layers);

  /// Computes the sublayer: x [..., D] -> [..., D].
  torch::Tensor forward(const ForwardContext& context, const torch::Tensor& x);

 private:
  Activation activation_;
  double dropout_;
  LinearPart input_;   // W1
  LinearPart output_;  // W2
  LinearPart gate_;    // Wg; only with swiglu
};
TORCH_MODULE(FeedForward);

}  // namespace tfm

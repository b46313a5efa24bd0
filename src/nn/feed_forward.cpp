#include "tfm/nn/feed_forward.h"

#include "tfm/nn/layers.h"
#include "tfm/nn/ops/dropout.h"
#include "tfm/nn/ops/linear.h"

namespace tfm {

FeedForwardImpl::FeedForwardImpl(const ModelConfig& config)
    : activation_(config.activation),
      dropout_(config.activation_dropout),
      input_(register_module("input", make_linear(config.hidden_size, config.transformer_ff, config.bias))),
      output_(register_module("output", make_linear(config.transformer_ff, config.hidden_size, config.bias))) {
  if (activation_ == Activation::swiglu) gate_ = register_module("gate", make_linear(config.hidden_size, config.transformer_ff, config.bias));
}

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x) {
  auto hidden = linear(x, input_->weight, input_->bias);  // [B, T, F]
  switch (activation_) {
    case Activation::relu:
      hidden = hidden.relu_();
      break;
    case Activation::gelu:
      hidden = torch::gelu(hidden);
      break;
    case Activation::silu:
      hidden = torch::silu(hidden);
      break;
    case Activation::swiglu:
      hidden = hidden * torch::silu(linear(x, gate_->weight, gate_->bias));
      break;
  }
  return linear(maskless_dropout(hidden, dropout_, is_training()), output_->weight, output_->bias);
}

}  // namespace tfm

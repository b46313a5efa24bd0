#include "tfm/nn/feed_forward.h"

#include "tfm/nn/layers.h"
#include "tfm/tensor/activation.h"
#include "tfm/tensor/dropout.h"
#include "tfm/tensor/linear.h"
#include "tfm/tensor/packed_weights.h"

namespace tfm {
namespace {

bool batch_invariant() {
  const auto* weights = PackedWeights::current();
  return weights != nullptr && weights->batch_invariant();
}

torch::Tensor invariant_or_plain_gelu(const torch::Tensor& x) {
  return batch_invariant() ? batch_invariant_gelu(x) : torch::gelu(x);
}
torch::Tensor invariant_or_plain_silu(const torch::Tensor& x) {
  return batch_invariant() ? batch_invariant_silu(x) : torch::silu(x);
}

}  // namespace

FeedForwardImpl::FeedForwardImpl(const ModelConfig& config)
    : activation_(config.activation),
      dropout_(config.activation_dropout),
      input_(register_module("input",
                             make_linear(config.hidden_size, config.transformer_ff, config.bias))),
      output_(register_module(
          "output", make_linear(config.transformer_ff, config.hidden_size, config.bias))) {
  if (activation_ == Activation::swiglu)
    gate_ = register_module("gate",
                            make_linear(config.hidden_size, config.transformer_ff, config.bias));
}

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x) {
  auto hidden = linear(x, input_->weight, input_->bias);  // [B, T, F]
  switch (activation_) {
    case Activation::relu:
      hidden = hidden.relu_();
      break;
    case Activation::gelu:
      hidden = invariant_or_plain_gelu(hidden);
      break;
    case Activation::silu:
      hidden = invariant_or_plain_silu(hidden);
      break;
    case Activation::swiglu:
      hidden = hidden * invariant_or_plain_silu(linear(x, gate_->weight, gate_->bias));
      break;
  }
  return linear(stateless_dropout(hidden, dropout_, is_training()), output_->weight, output_->bias);
}

}  // namespace tfm

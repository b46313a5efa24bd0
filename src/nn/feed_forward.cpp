#include "tfm/nn/feed_forward.h"

#include "tfm/tensor/activation.h"
#include "tfm/tensor/dropout.h"
#include "tfm/tensor/linear.h"

namespace tfm {
namespace {

torch::Tensor apply_gelu(const ForwardContext& context, const torch::Tensor& x) {
  return context.batch_invariant ? batch_invariant_gelu(x) : torch::gelu(x);
}
torch::Tensor apply_silu(const ForwardContext& context, const torch::Tensor& x) {
  return context.batch_invariant ? batch_invariant_silu(x) : torch::silu(x);
}

}  // namespace

FeedForwardImpl::FeedForwardImpl(const ModelConfig& config, LayerFactory& layers)
    : activation_(config.activation), dropout_(config.activation_dropout) {
  const auto layer = [&](const char* name, int64_t in, int64_t out) {
    return layers.add(register_module(name, layers.linear(in, out, config.bias)));
  };
  input_ = layer("input", config.hidden_size, config.transformer_ff);
  output_ = layer("output", config.transformer_ff, config.hidden_size);
  if (activation_ == Activation::swiglu)
    gate_ = layer("gate", config.hidden_size, config.transformer_ff);
}

torch::Tensor FeedForwardImpl::forward(const ForwardContext& context, const torch::Tensor& x) {
  torch::Tensor hidden;  // [..., transformer_ff]
  switch (activation_) {
    case Activation::relu:
      hidden = linear_relu(context, x, input_);
      break;
    case Activation::gelu:
      hidden = apply_gelu(context, linear(context, x, input_));
      break;
    case Activation::silu:
      hidden = apply_silu(context, linear(context, x, input_));
      break;
    case Activation::swiglu:
      hidden = linear(context, x, input_);
      hidden = hidden * apply_silu(context, linear(context, x, gate_));
      break;
  }
  return linear(context, stateless_dropout(hidden, dropout_, is_training()), output_);
}

}  // namespace tfm

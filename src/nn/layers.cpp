#include "tfm/nn/layers.h"

#include "tfm/tensor/random_state.h"

namespace tfm {

torch::Tensor LayerFactory::weight(torch::IntArrayRef shape) const {
  return initial_ == InitialWeights::none ? torch::empty({1}).expand(shape) : torch::empty(shape);
}

torch::nn::Linear LayerFactory::linear(int64_t in, int64_t out, bool bias) const {
  if (initial_ == InitialWeights::drawn)
    return torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(bias));
  // LibTorch initialises every linear layer, so this one is created with one weight and then
  // enlarged.
  const RandomStateGuard random_state(torch::kCPU);
  torch::nn::Linear layer(torch::nn::LinearOptions(1, 1).bias(bias));
  layer->options.in_features(in).out_features(out);
  layer->weight.set_data(weight({out, in}));
  if (bias) layer->bias.set_data(weight({out}));
  return layer;
}

torch::nn::Embedding LayerFactory::embedding(int64_t count, int64_t width) const {
  auto options = torch::nn::EmbeddingOptions(count, width);
  if (initial_ == InitialWeights::none) options._weight(weight({count, width}));
  return torch::nn::Embedding(options);
}

}  // namespace tfm

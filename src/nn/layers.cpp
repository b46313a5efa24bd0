#include "tfm/nn/layers.h"

#include <utility>

namespace tfm {

EmptyWeightsGuard::EmptyWeightsGuard() : previous_(std::exchange(wanted_, true)) {}

EmptyWeightsGuard::~EmptyWeightsGuard() { wanted_ = previous_; }

torch::Tensor make_weight(torch::IntArrayRef shape) {
  return EmptyWeightsGuard::wanted() ? torch::empty({1}).expand(shape) : torch::empty(shape);
}

torch::nn::Linear make_linear(int64_t in, int64_t out, bool bias) {
  if (!EmptyWeightsGuard::wanted())
    return torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(bias));
  // LibTorch knows no layer without initial values: this one is made small and grows.
  torch::nn::Linear layer(torch::nn::LinearOptions(1, 1).bias(bias));
  layer->options.in_features(in).out_features(out);
  layer->weight.set_data(make_weight({out, in}));
  if (bias) layer->bias.set_data(make_weight({out}));
  return layer;
}

LinearPart add_linear(LinearParts& parts, const torch::nn::Linear& layer) {
  return parts.add(layer->weight, layer->bias);
}

torch::nn::Embedding make_embedding(int64_t count, int64_t width) {
  auto options = torch::nn::EmbeddingOptions(count, width);
  if (EmptyWeightsGuard::wanted()) options._weight(make_weight({count, width}));
  return torch::nn::Embedding(options);
}

}  // namespace tfm

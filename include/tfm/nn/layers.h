// LibTorch's layers as the network makes them. Initial weights cost time and memory, for nothing if
// a file's weights replace them. A network may therefore be made without: its matrices then have
// their shapes only, and no memory until assign_parameters (state_dict.h) gives it to them, and the
// random generators stay as they were.
#pragma once

#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>

#include <cstdint>

#include "tfm/tensor/linear_part.h"

namespace tfm {

/// What a new network's weights are: drawn from the global generator, or shapes only.
enum class InitialWeights : std::uint8_t { drawn, none };

/// Makes the layers of one network, in the order of construction, and numbers its products.
class LayerFactory {
 public:
  explicit LayerFactory(InitialWeights initial = InitialWeights::drawn) : initial_(initial) {}

  /// A tensor to be filled.
  torch::Tensor weight(torch::IntArrayRef shape) const;
  /// [..., in] -> [..., out]
  torch::nn::Linear linear(int64_t in, int64_t out, bool bias) const;
  /// Ids below count -> [..., width].
  torch::nn::Embedding embedding(int64_t count, int64_t width) const;

  /// The products of the layers so far. Who multiplies with a matrix adds it.
  LinearParts& parts() { return parts_; }
  LinearPart add(const torch::nn::Linear& layer) { return parts_.add(layer->weight, layer->bias); }

 private:
  InitialWeights initial_;
  LinearParts parts_;
};

}  // namespace tfm

// The LibTorch layers of a network, created with or without initial weights. Initialisation takes
// time and memory, which are wasted if the weights are then read from a file. Without initial
// weights, a matrix has its shape but memory for only one element, until assign_parameters
// (state_dict.h) replaces it, and no random numbers are drawn.
#pragma once

#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>

#include <cstdint>

#include "tfm/tensor/linear_part.h"

namespace tfm {

/// The initial weights of a network: drawn from the global generator, or none (shapes only).
enum class InitialWeights : std::uint8_t { drawn, none };

/// Creates the layers of one network and numbers its matrices in the order of construction.
class LayerFactory {
 public:
  explicit LayerFactory(InitialWeights initial = InitialWeights::drawn) : initial_(initial) {}

  /// Returns an uninitialised weight. With InitialWeights::none, all its elements share the memory
  /// of one element.
  torch::Tensor weight(torch::IntArrayRef shape) const;
  /// Returns a layer [..., in] -> [..., out].
  torch::nn::Linear linear(int64_t in, int64_t out, bool bias) const;
  /// Returns an embedding of ids below `count`: [...] -> [..., width].
  torch::nn::Embedding embedding(int64_t count, int64_t width) const;

  /// The matrices that modules have added so far. A module adds each matrix that it multiplies by.
  LinearParts& parts() { return parts_; }
  LinearPart add(const torch::nn::Linear& layer) { return parts_.add(layer->weight, layer->bias); }

 private:
  InitialWeights initial_;
  LinearParts parts_;
};

}  // namespace tfm

// Collects the weights of a Transformer's layers under tfm's names. Each toolkit names the parts of
// a layer differently, so the importer passes functions that return them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

/// One part of a layer, for example {"encoder", 0, "self_attention"}.
struct LayerPart {
  std::string stack;     ///< "encoder" or "decoder"
  int64_t layer = 0;     ///< index of the layer in its stack, from 0
  std::string sublayer;  ///< "self_attention", "cross_attention" or "feed_forward"
};

struct LinearWeights {
  torch::Tensor weight;  ///< [out, in]
  torch::Tensor bias;    ///< [out]
};

struct NormWeights {
  torch::Tensor scale;  ///< [D]
  torch::Tensor shift;  ///< [D]
};

/// Functions that return the weights of a part. `which` is "query", "key", "value" or "output" for
/// attention, and "input" or "output" for a feed-forward block.
struct LayerSource {
  std::function<LinearWeights(const LayerPart& part, const std::string& which)> linear;
  std::function<NormWeights(const LayerPart& part)> norm;
};

/// Returns the parts of all layers, those of the encoder first.
std::vector<LayerPart> list_layer_parts(const ModelConfig& config);
/// Returns tfm's name of the part, such as "encoder.layer0.self_attention".
std::string own_name(const LayerPart& part);

/// Returns the weights of all layers of both stacks, without final norms.
StateDict layer_weights(const ModelConfig& config, const LayerSource& source);

/// Permutes the hidden dimensions of all layers, norms and embeddings under tfm's names: new
/// dimension i is old dimension order[i]. `order` has shape [D] and type int64. The output of the
/// model does not change if positions and embeddings are permuted in the same way.
void permute_hidden(StateDict& weights, const torch::Tensor& order);

}  // namespace tfm

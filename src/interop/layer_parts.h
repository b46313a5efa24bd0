// The parts of a Transformer's layers, under tfm's names and under those of another toolkit. Each
// toolkit names the parts differently, so an import passes functions that return them, and an
// export takes functions that return tfm's.
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

/// Returns the names of the part's linear projections: "query", "key", "value" and "output" for
/// attention, "input" and "output" for a feed-forward block.
std::vector<std::string> linear_names(const LayerPart& part);

/// Functions that return the weights of a part. `which` is one of linear_names(part).
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

/// Returns functions that read the parts from weights under tfm's names. Biases and norms that the
/// model lacks are zeros, and ones for scales.
LayerSource own_layers(const StateDict& weights, const ModelConfig& config);
/// Returns the final norm of a stack in the same way.
NormWeights own_final_norm(const StateDict& weights, const ModelConfig& config,
                           const std::string& stack);

/// Permutes the hidden dimensions of all layers, norms and embeddings under tfm's names: new
/// dimension i is old dimension order[i]. `order` has shape [D] and type int64. The output of the
/// model does not change if positions and embeddings are permuted in the same way.
void permute_hidden(StateDict& weights, const torch::Tensor& order);

}  // namespace tfm

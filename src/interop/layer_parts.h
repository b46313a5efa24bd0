// The parts of a Transformer's layers, under tfm's names and under those of another toolkit. Each
// toolkit names the parts differently, so an import passes functions that return them. An export
// reads tfm's parts here, completed by those that the model lacks.
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

/// Returns a projection of a part from weights under tfm's names. `which` is one of
/// linear_names(part). A bias that the model lacks is zeros.
LinearWeights own_linear(const StateDict& weights, const LayerPart& part, const std::string& which);
/// Returns the norm of a part or, with the name of a stack, the final norm of the stack. A scale
/// that the model lacks is ones, a shift zeros.
NormWeights own_norm(const StateDict& weights, const ModelConfig& config, const LayerPart& part);
NormWeights own_norm(const StateDict& weights, const ModelConfig& config, const std::string& stack);
/// Returns the bias of the output projection; if the model lacks it, zeros for `tokens` tokens.
torch::Tensor own_output_bias(const StateDict& weights, const ModelConfig& config, int64_t tokens);

/// Permutes the hidden dimensions of all layers, norms and embeddings under tfm's names: new
/// dimension i is old dimension order[i]. `order` has shape [D] and type int64. The output of the
/// model does not change if positions and embeddings are permuted in the same way.
void permute_hidden(StateDict& weights, const torch::Tensor& order);

}  // namespace tfm

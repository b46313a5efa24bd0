// A Transformer's layers under tfm's names, out of the parts that any toolkit has under names of
// its own.
#pragma once

#include <functional>
#include <string>

#include "tfm/config/config.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

/// One part of a layer: "encoder", 0, "self_attention".
struct LayerPart {
  std::string stack;     ///< "encoder" or "decoder"
  int64_t layer = 0;     ///< from 0
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

/// How to get a part's weights. which: "query", "key", "value", "output" of an attention; "input",
/// "output" of a feed-forward block.
struct LayerSource {
  std::function<LinearWeights(const LayerPart& part, const std::string& which)> linear;
  std::function<NormWeights(const LayerPart& part)> norm;
};

/// The weights of all layers of both stacks, without final norms.
StateDict layer_weights(const ModelConfig& config, const LayerSource& source);

/// Renumbers the hidden dimensions of a whole model: new dimension i is the former order[i].
/// Everything but fixed positions treats them alike, so the model computes the same with the
/// positions' dimensions renumbered. order [D] int64.
void permute_hidden(StateDict& weights, const torch::Tensor& order);

}  // namespace tfm

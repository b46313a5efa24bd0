// Marian's names for a Transformer's tensors. Its matrices are [in, out] and its vectors [1, D].
#pragma once

#include "foreign_embeddings.h"
#include "foreign_weights.h"
#include "marian_config.h"

namespace tfm {

/// Layers, final norms and learned positions under tfm's names.
NamedTensors marian_layers(ForeignWeights& weights, const ModelConfig& config);

/// Embeddings and output projection, without tokens.
ForeignEmbeddings marian_embeddings(ForeignWeights& weights, const MarianConfig& config);

/// Wpos: positions that were learned. Source and target share them.
inline constexpr const char* marian_positions = "Wpos";

}  // namespace tfm

// Marian's names for a Transformer's tensors. Its matrices are [in, out] and its vectors [1, D].
#pragma once

#include "imported_embeddings.h"
#include "imported_weights.h"
#include "marian_config.h"

namespace tfm {

/// Layers, final norms and learned positions under tfm's names.
StateDict marian_layers(ImportedWeights& weights, const ModelConfig& config);

/// Embeddings and output projection, without tokens.
ImportedEmbeddings marian_embeddings(ImportedWeights& weights, const MarianConfig& config);

/// Wpos: positions that were learned. Source and target share them.
inline constexpr const char* marian_positions = "Wpos";

}  // namespace tfm

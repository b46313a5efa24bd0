// Converts Marian's names of a Transformer's tensors; its matrices are [in, out], vectors [1, D].
#pragma once

#include "imported_embeddings.h"
#include "imported_weights.h"
#include "marian_config.h"

namespace tfm {

/// Returns layers, final norms and learned positions under tfm's names.
StateDict marian_layers(ImportedWeights& weights, const ModelConfig& config);

/// Returns embeddings and output projection, without tokens.
ImportedEmbeddings marian_embeddings(ImportedWeights& weights, const MarianConfig& config);

/// The name of the learned positions, which source and target share.
inline constexpr const char* marian_positions = "Wpos";

}  // namespace tfm

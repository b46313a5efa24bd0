// Converts a Transformer's tensors from Marian's names to tfm's. Marian's matrices are [in, out]
// and its vectors [1, D].
#pragma once

#include "imported_embeddings.h"
#include "imported_weights.h"
#include "marian_config.h"

namespace tfm {

/// Returns the weights of layers, final norms and learned positions under tfm's names.
StateDict marian_layers(ImportedWeights& weights, const ModelConfig& config);

/// Returns the embeddings and the output projection. The lists of tokens remain empty.
ImportedEmbeddings marian_embeddings(ImportedWeights& weights, const MarianConfig& config);

/// The name of Marian's table of learned positions, which source and target share.
inline constexpr const char* marian_positions = "Wpos";

}  // namespace tfm

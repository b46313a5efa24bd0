// Converts a Transformer's tensors between Marian's names and tfm's. Marian's matrices are [in,
// out] and its vectors [1, D].
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

/// How many rows of the embeddings Marian has: those of its vocabularies.
struct VocabularyRows {
  int64_t source = 0;
  int64_t target = 0;
};

/// Returns the arrays of a model under Marian's names, from weights under tfm's: the inverse of
/// marian_layers and marian_embeddings. Later rows of the vocabularies are left out.
StateDict marian_arrays(const StateDict& weights, const ModelConfig& config,
                        const VocabularyRows& rows);

}  // namespace tfm

// The vocabularies of an imported model, the matrices that have a row per token, and the extra
// tokens that tfm needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

struct ImportedEmbeddings {
  std::vector<std::string> source_tokens;
  torch::Tensor target;  ///< [Vt, D]; undefined if it is the source embedding
  torch::Tensor output;  ///< [Vt, D]; undefined if it is the target embedding
  torch::Tensor bias;    ///< [Vt], of the output projection
  torch::Tensor output;  ///< [Vt, D], undefined where it is the target's embedding
  /// Returns the target embedding, which may be the source embedding.

  /// The target's embedding, whosever it is.
  /// Adds a token with this embedding [D] to both sides. It occurs in no text, and its output
  /// probability is 0.

  /// Adds a token to both sides that no text has and no translation can get. embedding [D].
  /// Adds the matrices under tfm's names and sets the config fields that say which are shared.
  /// Throws ModelError with the origin if both sides share a matrix but have different tokens.
  /// Adds the matrices under tfm's names, and says in the config which of them are one. Throws
  /// ModelError naming the origin where both sides share a matrix, but not their tokens.
  void add_to(StateDict& weights, Config& config, const std::filesystem::path& origin) const;
};

}  // namespace tfm

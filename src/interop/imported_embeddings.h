// Both vocabularies of another toolkit's model with the matrices that have a row for each token,
// and the tokens that tfm needs beyond them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

struct ImportedEmbeddings {
  std::vector<std::string> source_tokens;
  std::vector<std::string> target_tokens;
  torch::Tensor source;  ///< [Vs, D]
  torch::Tensor target;  ///< [Vt, D], undefined where it is the source's
  torch::Tensor output;  ///< [Vt, D], undefined where it is the target's embedding
  torch::Tensor bias;    ///< [Vt], of the output

  /// The target's embedding, whosever it is.
  const torch::Tensor& target_or_source() const { return target.defined() ? target : source; }

  /// Adds a token to both sides that no text has and no translation can get. embedding [D].
  void append(const std::string& token, const torch::Tensor& embedding);

  /// Adds the matrices under tfm's names, and says in the config which of them are one. Throws
  /// ModelError naming the origin where both sides share a matrix, but not their tokens.
  void add_to(StateDict& weights, Config& config, const std::filesystem::path& origin) const;
};

}  // namespace tfm

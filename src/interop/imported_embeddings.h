// Holds the vocabularies of an imported model and the matrices that have one row per token, and
// adds the special tokens that the model lacks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

/// A logit that is low enough for a probability of exactly 0 in fp32, and within the range of fp16.
inline constexpr double impossible_logit = -1e4;

struct ImportedEmbeddings {
  std::vector<std::string> source_tokens;
  std::vector<std::string> target_tokens;
  torch::Tensor source;  ///< [source tokens, D]
  torch::Tensor target;  ///< [target tokens, D]; undefined if shared with the source embedding
  torch::Tensor output;  ///< [target tokens, D]; undefined if tied to the target embedding
  torch::Tensor bias;    ///< [target tokens], the bias of the output projection

  /// Returns the target embedding, which may be the source embedding.
  const torch::Tensor& target_or_source() const { return target.defined() ? target : source; }

  /// Adds a token with this embedding [D] to both sides. The output probability of the token is 0.
  void append(const std::string& token, const torch::Tensor& embedding);

  /// Adds the matrices under tfm's names to `weights`, and sets the config fields that select which
  /// matrices are shared. Throws ModelError with the origin if both sides share a matrix but have
  /// different tokens.
  void add_to(StateDict& weights, Config& config, const std::filesystem::path& origin) const;
};

}  // namespace tfm

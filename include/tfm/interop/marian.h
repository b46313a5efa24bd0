// Transformers trained with Marian: model.npz, which holds weights and configuration, and a
// vocabulary for each side. Marian's decoder starts from a zero embedding, here that of an added
// start token; its padding is no token, here an added one. Neither can be a translation's token.
#pragma once

#include <filesystem>
#include <vector>

#include "tfm/model/model.h"

namespace tfm {

struct MarianFiles {
  /// model.npz, or the folder that holds it (or the only .npz there)
  std::filesystem::path model;
  /// .yml (or .json) or .spm: the source's and the target's, or one for both
  std::vector<std::filesystem::path> vocabularies;
  /// what divides text into the pieces of .yml vocabularies; none: text is words already
  std::vector<std::filesystem::path> sentencepiece{};
};

/// Throws ModelError with the file and, if the architecture can't be expressed, the option of
/// Marian; ConfigError if the files that are named don't go together.
Model import_marian(const MarianFiles& files);

}  // namespace tfm

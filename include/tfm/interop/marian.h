// Imports Transformers trained with Marian from model.npz, which contains weights and
// configuration, and from the vocabularies. Marian's decoder starts from a zero embedding, and
// Marian has no padding token. The import therefore adds a start token and a padding token. Their
// output probability is always 0.
#pragma once

#include <filesystem>
#include <vector>

#include "tfm/model/model.h"

namespace tfm {

struct MarianFiles {
  /// model.npz, or the folder that contains it (or contains a single .npz file); `tfm import` takes
  /// a folder for one of Marian only with --format marian
  std::filesystem::path model;
  /// .yml, .json or .spm files: one for the source and one for the target, or one for both sides
  std::vector<std::filesystem::path> vocabularies;
  /// SentencePiece models for .yml or .json vocabularies; if empty, text is split at white space
  std::vector<std::filesystem::path> sentencepiece{};
};

/// Imports a model. Throws ModelError with the file name if a file is missing or malformed; if tfm
/// cannot express the architecture, the error names the options of Marian that are not supported.
/// Throws ConfigError if the given files cannot be combined.
Model import_marian(const MarianFiles& files);

}  // namespace tfm

// Imports Transformers that were trained with Marian. Reads weights and configuration from
// model.npz, and the vocabularies from separate files. Marian's decoder starts from a zero
// embedding, and Marian has no padding token. The import therefore adds a start token and a padding
// token. Their output probability is always 0.
#pragma once

#include <filesystem>
#include <vector>

#include "tfm/model/model.h"

namespace tfm {

struct MarianFiles {
  /// an .npz file, or a folder with model.npz or a single .npz file; `tfm import` accepts a folder
  /// only with --format marian, because it otherwise expects the folder of a Hugging Face model
  std::filesystem::path model;
  /// .yml, .json or .spm files: one for the source and one for the target, or one for both sides
  std::vector<std::filesystem::path> vocabularies;
  /// SentencePiece models for .yml or .json vocabularies; without them, a model with such
  /// vocabularies splits text at white space
  std::vector<std::filesystem::path> sentencepiece{};
};

/// Imports a model. Throws ModelError with the file name if a file is missing or malformed; if tfm
/// cannot express the architecture, the error names the options of Marian that are not supported.
/// Throws ConfigError if the given files cannot be combined.
Model import_marian(const MarianFiles& files);

}  // namespace tfm

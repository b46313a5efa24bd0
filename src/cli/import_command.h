// `tfm import`: converts a model of another toolkit to a model folder.
#pragma once

#include <filesystem>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

enum class ImportFormat { automatic, marian, huggingface };

struct ImportOptions {
  ImportFormat format = ImportFormat::automatic;
  std::filesystem::path model;  ///< a folder, or Marian's .npz or .yml file
  /// Marian vocabularies, source first; a single one serves both sides
  std::vector<std::filesystem::path> vocabularies;
  /// SentencePiece models that segment text for `vocabularies`, in the order of `vocabularies`
  std::vector<std::filesystem::path> sentencepiece;
  std::filesystem::path output;
};

/// Returns the format of the model at this path: Hugging Face for a folder with config.json, Marian
/// for a folder with decoder.yml and for a file NAME.npz or NAME.yml. Throws ModelError if it is
/// none of these.
ImportFormat detect_format(const std::filesystem::path& model);

int run_import(const ImportOptions& options);
Command import_command(Run<ImportOptions> run = run_import);

}  // namespace tfm

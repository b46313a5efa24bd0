// `tfm import`: converts a model of another toolkit to a model folder.
#pragma once

#include <filesystem>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

enum class ImportFormat { marian, huggingface };

struct ImportOptions {
  ImportFormat format = ImportFormat::marian;
  std::filesystem::path model;  ///< the folder, or Marian's .npz file
  /// Marian vocabularies, source first; a single one serves both sides
  std::vector<std::filesystem::path> vocabularies;
  /// SentencePiece models that segment text for the vocabularies, in the same order
  std::vector<std::filesystem::path> sentencepiece;
  std::filesystem::path output;
};

int run_import(const ImportOptions& options);
Command import_command(Run<ImportOptions> run = run_import);

}  // namespace tfm

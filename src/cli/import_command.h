// `tfm import`: another toolkit's model as a model folder.
#pragma once

#include <filesystem>
#include <vector>

#include "command.h"

namespace tfm {

enum class ImportFormat { marian, huggingface };

struct ImportOptions {
  ImportFormat format = ImportFormat::marian;
  std::filesystem::path model;  ///< folder, or Marian's .npz
  /// Marian's, the source's first; one: both sides'
  std::vector<std::filesystem::path> vocabularies;
  /// models that divide text into the pieces of the vocabularies; as many
  std::vector<std::filesystem::path> sentencepiece;
  std::filesystem::path output;
};

int run_import(const ImportOptions& options);
Command import_command(Run<ImportOptions> run = run_import);

}  // namespace tfm

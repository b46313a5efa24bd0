// Builds a TranslationModel from the parts that an import has converted.
#pragma once

#include <filesystem>
#include <vector>

#include "imported_embeddings.h"
#include "tfm/model/model_folder.h"

namespace tfm {

struct ImportedModelParts {
  std::filesystem::path origin;
  Config config{};      ///< tfm's config, without the fields that the embeddings determine
  StateDict weights{};  ///< tensors under tfm's names, without embeddings and output projection
  ImportedEmbeddings embeddings{};
  /// SentencePiece models of the source and the target, or one for both; empty unless
  /// tokenizer.kind is pieces
  std::vector<std::filesystem::path> sentencepiece{};
};

/// Checks a converted config before its sizes are used. Throws ModelError if a value is out of
/// range or breaks one of tfm's config rules.
void check_config_limits(const Config& config, const std::filesystem::path& origin);

/// Builds the model. Throws ModelError if the parts do not fit together or a weight is not finite.
TranslationModel assemble_model(const ImportedModelParts& parts);

}  // namespace tfm

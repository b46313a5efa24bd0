// A model of tfm's out of the pieces that an import has translated.
#pragma once

#include <filesystem>
#include <vector>

#include "imported_embeddings.h"
#include "tfm/model/model_folder.h"

namespace tfm {

struct ForeignModelParts {
  std::filesystem::path origin;
  Config config{};      ///< without what the embeddings decide
  StateDict weights{};  ///< under tfm's names, without the embeddings and the output projection
  ImportedEmbeddings embeddings{};
  /// for kind pieces: the source's and the target's model, or one for both
  std::vector<std::filesystem::path> sentencepiece{};
};

/// Throws ModelError where a value is out of the range that tfm's config allows, or breaks one of
/// its rules: before sizes are used.
void check_config_limits(const Config& config, const std::filesystem::path& origin);

/// Throws ModelError where the parts don't fit together.
TranslationModel assemble(const ForeignModelParts& foreign);

}  // namespace tfm

// Identifies the vocabulary that a checkpoint was trained with. Its files lie in the run folder,
// outside of the checkpoints, whose manifests therefore do not list them.
#pragma once

#include <filesystem>

#include "tfm/run/trainer_state.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// Returns the checksums of the tokenizers.
VocabularyChecksums vocabulary_checksums(const TokenizerPair& tokenizers);

/// Throws ModelError, which names the file, if the tokenizers that were read from `run_folder` do
/// not have the checksums of `checkpoint`. Accepts any tokenizer if its checksum is unknown.
void check_vocabulary(const TokenizerPair& tokenizers, const VocabularyChecksums& expected,
                      const std::filesystem::path& run_folder,
                      const std::filesystem::path& checkpoint);

}  // namespace tfm

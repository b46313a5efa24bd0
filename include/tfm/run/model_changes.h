// Checks that the config of a resumed run still fits its checkpoints, and that the model that
// initialises a new run fits the run's config.
#pragma once

#include <filesystem>

#include "tfm/config/config.h"

namespace tfm {

/// Logs which fields changed since the last session. Throws ConfigError with the name of `file` if
/// the saved state depends on a changed field (Effect::fixed_in_run), such as a size of the model,
/// the tokenizer or the optimizer.
void check_resumable(const Config& before, const Config& now, const std::filesystem::path& file);

/// Throws ConfigError if the model in training.init_from is missing, or if its architecture differs
/// from the config's.
void check_init_from(const Config& config);

}  // namespace tfm

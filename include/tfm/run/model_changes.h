// Checks that the config of a resumed run still fits its checkpoints, and that the model that
// initialises a new run fits the run's config.
#pragma once

#include <filesystem>

#include "tfm/config/config.h"

namespace tfm {

/// Logs which fields changed since the last session. Throws ConfigError with the name of `file` if
/// a field changed that determines the weights' shapes or the tokens.
void check_resumable(const Config& before, const Config& now, const std::filesystem::path& file);

/// Throws ConfigError if the architecture of the model in training.init_from is not the one that
/// the config describes.
void check_init_from(const Config& config);

}  // namespace tfm

// What a run must not change between its sessions, and what a model that a run begins with must
// have in common with the run's config.
#pragma once

#include <filesystem>

#include "tfm/config/config.h"

namespace tfm {

/// Logs what changed since the last session. Throws ConfigError, naming `file`, if weights or
/// tokens depend on what changed.
void check_resumable(const Config& before, const Config& now, const std::filesystem::path& file);

/// Throws ConfigError if the model that a new run begins with (training.init_from) is of another
/// make than the config describes.
void check_init_from(const Config& config);

}  // namespace tfm

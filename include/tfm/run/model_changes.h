// Checks that the config of a resumed run still fits its checkpoints, and that the model that
// initialises a new run fits the run's config.
#pragma once

#include <filesystem>

#include "tfm/config/config.h"

namespace tfm {

/// Throws ConfigError if a field on which the checkpoints depend has changed
/// (Effect::fixed_in_run), such as the tokenizer, the optimizer or a size of the model. The error
/// names `file`, the config file of the last session. Otherwise logs which other fields have
/// changed.
void check_resumable(const Config& before, const Config& now, const std::filesystem::path& file);

/// Throws ConfigError if the model in training.init_from is missing, or if its architecture differs
/// from the config's.
void check_init_from(const Config& config);

}  // namespace tfm

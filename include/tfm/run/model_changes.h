// Checks that the config of a resumed run still fits its checkpoints, and that the model that
// initialises a new run fits the run's config.
#pragma once

#include <filesystem>

#include "tfm/config/config.h"

namespace tfm {

/// Returns the config with the symbols of the run `previous` if they are those of the config and
/// those that `previous` added to the vocabulary that it learned.
Config with_learned_symbols(Config config, const Config& previous);

/// Throws ConfigError if a field on which the checkpoints depend has changed
/// (Effect::fixed_in_run), such as the tokenizer, the optimizer or a size of the model. The error
/// names `file`, the config file of the last session. Otherwise logs which other fields have
/// changed.
void check_resumable(const Config& before, const Config& now, const std::filesystem::path& file);

/// Returns the config of a new run, with the symbols of the vocabulary that it takes from the model
/// in training.init_from. Throws ConfigError if that model is missing, or if its architecture
/// differs from the config's.
Config fit_to_init_from(Config config);

}  // namespace tfm

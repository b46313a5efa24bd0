// Handles the numbers that a config leaves to tfm ("auto"): the vocabulary size that suits the
// amount of text, the batch size that fits into memory, and the number of updates that a time limit
// allows. The first session of a run determines these numbers and writes them to the run's config.
// Later sessions take them from there.
#pragma once

#include "tfm/config/config.h"

namespace tfm {

bool is_auto_vocab_size(const TokenizerConfig& config);
bool is_auto_batch_size(const TrainingConfig& config);
bool is_auto_max_steps(const TrainingConfig& config);

/// Returns whether the field has its default, so that `max_steps: auto` may change it.
bool has_default_valid_steps(const TrainingConfig& config);
bool has_default_warmup_steps(const TrainingConfig& config);

/// Returns the config with its automatic numbers replaced by those of an earlier session's config.
/// With `max_steps: auto`, valid_steps and warmup_steps that have their defaults are replaced too.
/// If max_minutes has changed, the number of updates changes in proportion. An automatic batch size
/// stays automatic if the earlier session used another training.batch_type. Throws ConfigError if
/// the earlier numbers are not compatible with the rest of the config.
Config with_fitted_numbers(Config config, const Config& previous);

}  // namespace tfm

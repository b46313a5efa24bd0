// The numbers that a config may leave to tfm: the batch size that fits into memory and the updates
// that a time limit is enough for. The first session finds them and writes them to the run's
// config; the sessions after it keep them.
#pragma once

#include "tfm/config/config.h"

namespace tfm {

bool is_auto_batch_size(const TrainingConfig& config);
bool is_auto_max_steps(const TrainingConfig& config);

/// Returns the config with the numbers of an earlier session's config in place of automatic ones.
/// Throws ConfigError if they do not fit the rest of the config.
Config with_fitted_numbers(Config config, const TrainingConfig& previous);

}  // namespace tfm

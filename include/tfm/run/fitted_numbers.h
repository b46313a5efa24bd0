// Handles the numbers that a config leaves to tfm ("auto"): the vocabulary size that suits the
// amount of text, the batch size that fits into memory, and the number of updates that a time limit
// allows. The first session of a run determines these numbers and writes them to the run's config.
// Later sessions take them from there.
#pragma once

#include <cstdint>
#include <optional>

#include "tfm/config/config.h"
#include "tfm/run/trainer_state.h"

namespace tfm {

/// The share of the time that `max_steps: auto` plans. The rest is for variations in speed.
inline constexpr double planned_share = 0.95;

bool is_auto_vocab_size(const TokenizerConfig& config);
bool is_auto_batch_size(const TrainingConfig& config);
bool is_auto_max_steps(const TrainingConfig& config);

/// Returns whether the field has its default, so that `max_steps: auto` may change it.
bool has_default_valid_steps(const TrainingConfig& config);
bool has_default_warmup_steps(const TrainingConfig& config);

/// Returns the number of updates that fits into max_minutes if those to come take as long as those
/// so far, with validations and checkpoints; nullopt if the run has not validated yet or no time is
/// left.
std::optional<std::int64_t> steps_at_former_speed(const TrainingConfig& config,
                                                  const TrainerState& state);

/// Returns the config with its automatic numbers replaced by those of an earlier session's config.
/// With `max_steps: auto`, valid_steps and warmup_steps that have their defaults are replaced too.
/// If max_minutes or max_epochs has changed, the number of updates is steps_at_former_speed, or, if
/// there is none, proportional to max_minutes. An automatic batch size stays automatic if the
/// earlier session used another training.batch_type. `state` is that of the checkpoint to resume
/// from. Throws ConfigError if the earlier numbers are not compatible with the rest of the config.
Config with_fitted_numbers(Config config, const Config& previous, const TrainerState& state);

}  // namespace tfm

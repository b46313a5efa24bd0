// Formats the text that a run logs at its end: where its model is, how good the model is, and how
// to continue training.
#pragma once

#include <optional>
#include <string>

#include "tfm/config/config.h"
#include "tfm/model/validation_metrics.h"
#include "tfm/run/trainer_state.h"
#include "tfm/training/run.h"

namespace tfm {

/// Returns what to change in the config so that --resume continues a run that has ended, for
/// example "Raise training.max_steps (1000) and use --resume to continue." With `has_fitted_steps`,
/// the number of updates comes from max_minutes or max_epochs, so the text names that field
/// instead.
std::string continue_advice(const TrainingConfig& config, const TrainerState& state,
                            bool has_fitted_steps);

/// If a limit other than the time ended a run with `max_steps: auto`, returns a text with the
/// minutes that are left. Otherwise, returns nullopt.
std::optional<std::string> describe_unused_time(const TrainingConfig& config,
                                                const RunResult& result);

/// If the run ended before the end of its learning-rate schedule, returns a text with the steps of
/// both ends and the learning rate that the run reached. Otherwise, or if the schedule has no end,
/// returns nullopt. Only a cosine schedule with decay_steps or max_steps has an end.
std::optional<std::string> describe_cut_schedule(const TrainingConfig& config,
                                                 const TrainerState& state);

/// Returns the summary of a run, with the scores of its best model if there is validation data. The
/// first line begins with "finished: ".
std::string summarize_run(const Config& config, const RunResult& result,
                          const std::optional<ValidationScores>& best);

}  // namespace tfm

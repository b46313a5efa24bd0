#include "tfm/run/transitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tfm/core/format.h"

namespace tfm {
namespace {

bool is_scheduled(const TrainingConfig& config, std::int64_t step) {
  const auto every = config.save_steps > 0 ? config.save_steps : config.valid_steps;
  return every > 0 && step > 0 && step % every == 0;
}

bool should_save(const TrainingConfig& config, const TrainerState& state) {
  // Training may have to roll back from these weights.
  if (state.divergence.skipped_updates > 0) return false;
  const bool is_time =
      config.save_minutes > 0 && state.seconds - state.saved.seconds >= config.save_minutes * 60;
  return is_time || is_scheduled(config, state.step);
}

/// Returns whether a validation of the weights is due and has not yet given a score. Until it has,
/// one more checkpoint is kept.
bool needs_score(const TrainingConfig& config, const TrainerState& state, bool has_validation) {
  const bool is_due =
      has_validation && (should_validate(config, state) || stop_reason(config, state));
  return is_due && (state.validated_step != state.step || state.unscored_step == state.step);
}

/// Resets the scores as if the run had not validated yet. Keeps best_step, the step of the saved
/// model.
void reset_best_score(TrainerState& state) {
  state.best_score.reset();
  state.best_event.clear();
  state.validations_without_improvement = 0;
  state.validated_step.reset();
  state.averaged_step.reset();
}

}  // namespace

std::optional<std::string> stop_reason(const TrainingConfig& config, const TrainerState& state) {
  if (config.max_steps > 0 && state.step >= config.max_steps)
    return fmt::format("max_steps {} reached", config.max_steps);
  if (config.max_epochs > 0 && state.position.epoch >= config.max_epochs)
    return fmt::format("max_epochs {} reached", config.max_epochs);
  if (config.max_minutes > 0 && state.seconds >= config.max_minutes * 60)
    return fmt::format("max_minutes {} reached", config.max_minutes);
  if (config.early_stopping > 0 && state.validations_without_improvement >= config.early_stopping)
    return "no gain in " + with_noun(config.early_stopping, "validation");
  return std::nullopt;
}

bool is_complete(const TrainingConfig& config, const TrainerState& checkpoint,
                 const Fingerprints& now) {
  const bool is_averaged =
      config.average_checkpoints < 2 || checkpoint.averaged_step == checkpoint.step;
  return stop_reason(config, checkpoint) && checkpoint.validated_step == checkpoint.step &&
         is_averaged && checkpoint.fingerprints == now;
}

Updated updated(const TrainingConfig& config, TrainerState state, const UpdateDone& done) {
  ++state.step;
  state.position = done.position;
  state.seconds = done.seconds;
  const auto action = record_update(config, state.step, done.finite, state.divergence);
  if (done.finite) {  // NaN in a sum would make the mean NaN
    for (auto* mean : {&state.epoch, &state.report}) {
      mean->sum += done.loss;
      mean->tokens += done.target_tokens;
    }
  }
  return {std::move(state), action};
}

Decisions decide(const TrainingConfig& config, const TrainerState& before,
                 const TrainerState& state) {
  const bool epochs = config.log_unit == LogUnit::epochs;
  const auto lines = [&](const TrainerState& at) { return at.position.epoch / config.log_every; };
  return {.log_step = !epochs && state.step % config.log_every == 0,
          .log_epoch = epochs && lines(state) > lines(before) && state.epoch.tokens > 0,
          .begin_epoch = state.position.epoch != before.position.epoch,
          .save = should_save(config, state),
          .validate = should_validate(config, state)};
}

TrainerState step_logged(TrainerState state) {
  state.report = {};
  return state;
}

TrainerState epoch_begun(const TrainingConfig& config, TrainerState state) {
  state.epoch = {};
  // Without log lines of steps, only a new epoch resets the loss on the progress line.
  if (config.log_unit == LogUnit::epochs) state.report = {};
  return state;
}

bool should_validate(const TrainingConfig& config, const TrainerState& state) {
  return config.valid_steps > 0 && state.step > 0 && state.step % config.valid_steps == 0;
}

bool weights_may_be_invalid(const TrainingConfig& config, const TrainerState& state,
                            bool model_exists) {
  const auto skipped = state.divergence.skipped_updates;
  if (skipped == 0 || !stop_reason(config, state)) return skipped > 0;
  return skipped >= config.divergence_patience && model_exists;
}

double finite_score(double score) {
  return std::isfinite(score) ? score : std::numeric_limits<double>::lowest();
}

Validated validated(TrainerState state, std::optional<double> score) {
  state.validated_step = state.step;
  if (!score) {
    // Whether training rolls back depends on the updates that follow.
    ++state.validations_without_improvement;
    state.unscored_step = state.step;
    // Keeps these weights out of averages, and out of rollbacks unless no scheduled checkpoint is
    // left.
    state.scheduled = false;
    return {std::move(state), /*is_best=*/false};
  }
  const double finite = finite_score(*score);
  if (state.best_score && finite <= *state.best_score) {
    // If this is the step of the best model, the validation only scored that model again.
    if (state.step != state.best_step) ++state.validations_without_improvement;
    return {std::move(state), /*is_best=*/false};
  }
  state.best_score = finite;
  state.best_step = state.step;
  state.validations_without_improvement = 0;
  return {std::move(state), /*is_best=*/true};
}

TrainerState kept_without_score(TrainerState state) {
  state.best_step = state.step;
  state.validated_step = state.step;
  return state;
}

TrainerState averaged(const TrainerState& before, TrainerState validated) {
  // An average that is not better does not count as a validation without improvement.
  validated.validations_without_improvement =
      std::min(before.validations_without_improvement, validated.validations_without_improvement);
  return validated;
}

Saving saving(const TrainingConfig& config, TrainerState state, SaveReason reason,
              bool has_validation) {
  const bool unscored =
      reason != SaveReason::unscheduled && needs_score(config, state, has_validation);
  const RetentionPolicy retention{.count = config.keep_checkpoints + (unscored ? 1 : 0),
                                  .scheduled_only = reason == SaveReason::end};
  const bool skipping = state.divergence.skipped_updates > 0;
  if (state.saved.step == state.step) {
    if (reason != SaveReason::end || skipping || state.unscored_step == state.step)
      return {.state = std::move(state), .retention = std::nullopt};
    const bool was_scheduled = std::exchange(state.scheduled, true);
    return {.state = std::move(state), .rewrite_state = !was_scheduled, .retention = retention};
  }
  state.scheduled =
      !skipping && (reason != SaveReason::unscheduled || is_scheduled(config, state.step));
  state.saved.step = state.step;
  return {.state = std::move(state),
          .write = true,
          .retention = skipping ? std::nullopt : std::optional(retention)};
}

std::optional<RetentionPolicy> retention_after_validation(const TrainingConfig& config,
                                                          const TrainerState& state,
                                                          bool has_validation) {
  if (needs_score(config, state, has_validation) || !state.scheduled) return std::nullopt;
  return RetentionPolicy{.count = config.keep_checkpoints,
                         .scheduled_only = stop_reason(config, state).has_value()};
}

Resumed resumed(TrainerState checkpoint, const Fingerprints& now, bool model_exists) {
  Resumed result{.state = std::move(checkpoint)};
  auto& state = result.state;
  result.data_changed = state.fingerprints.data != now.data;
  if (result.data_changed) {
    if (!state.position.begins_epoch()) state.position = {state.position.epoch + 1, 0};
    state.epoch = {};
  }
  result.former_metric = state.fingerprints.metric;
  result.metric_changed = result.former_metric != 0 && result.former_metric != now.metric;
  // best_step is checked, too, because a change of the metric resets only validated_step.
  result.model_gone = (state.validated_step || state.best_step > 0) && !model_exists;
  if (result.metric_changed || result.model_gone) reset_best_score(state);
  state.fingerprints = now;
  return result;
}

TrainerState rolled_back(const TrainingConfig& config, const TrainerState& diverged,
                         TrainerState checkpoint) {
  checkpoint.best_score = diverged.best_score;
  checkpoint.best_step = diverged.best_step;
  checkpoint.best_event = diverged.best_event;
  checkpoint.divergence =
      after_rollback(config, diverged.step, checkpoint.step, diverged.divergence);
  checkpoint.has_fitted_steps = diverged.has_fitted_steps;
  checkpoint.seconds = diverged.seconds;  // the lost time counts towards max_minutes
  checkpoint.saved = {.step = checkpoint.step, .seconds = diverged.saved.seconds};
  return checkpoint;
}

}  // namespace tfm

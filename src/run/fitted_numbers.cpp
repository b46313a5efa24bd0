#include "tfm/run/fitted_numbers.h"

#include <algorithm>
#include <cmath>

#include "tfm/config/validate.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

/// Returns the number of updates for a time limit that the earlier session did not have.
std::int64_t steps_for_new_limit(const TrainingConfig& training, const TrainingConfig& previous,
                                 const TrainerState& state) {
  if (const auto steps = steps_at_former_speed(training, state)) {
    log_info(
        "training.max_steps: {} for max_minutes {}, because each of the {} updates so far took "
        "{:.3g} s, with validations",
        *steps, training.max_minutes, state.step, state.seconds / static_cast<double>(state.step));
    return *steps;
  }
  const bool over = state.seconds >= 60 * training.max_minutes;
  if (over || previous.max_minutes <= 0) return previous.max_steps;
  const double factor = training.max_minutes / previous.max_minutes;
  return std::llround(std::ceil(factor * static_cast<double>(previous.max_steps)));
}

/// Copies the numbers that `max_steps: auto` has determined, or adapts them to another limit.
void copy_fitted_steps(TrainingConfig& training, const TrainingConfig& previous,
                       const TrainerState& state) {
  training.max_steps = previous.max_steps;
  if (has_default_valid_steps(training)) training.valid_steps = previous.valid_steps;
  if (has_default_warmup_steps(training)) training.warmup_steps = previous.warmup_steps;
  const bool same_limits =
      previous.max_minutes == training.max_minutes && previous.max_epochs == training.max_epochs;
  if (!same_limits) training.max_steps = steps_for_new_limit(training, previous, state);
}

}  // namespace

bool is_auto_vocab_size(const TokenizerConfig& config) {
  return config.vocab_size == TokenizerConfig::automatic_size;
}

bool is_auto_batch_size(const TrainingConfig& config) { return config.batch_size == 0; }

bool is_auto_max_steps(const TrainingConfig& config) {
  return config.max_steps == TrainingConfig::automatic_steps;
}

bool has_default_valid_steps(const TrainingConfig& config) {
  return config.valid_steps == TrainingConfig{}.valid_steps;
}

bool has_default_warmup_steps(const TrainingConfig& config) {
  return config.warmup_steps == TrainingConfig{}.warmup_steps;
}

std::optional<std::int64_t> steps_at_former_speed(const TrainingConfig& config,
                                                  const TrainerState& state) {
  const double left = planned_share * (60 * config.max_minutes - state.seconds);
  if (!state.validated_step || state.step == 0 || state.seconds <= 0 || left <= 0)
    return std::nullopt;
  const double update = state.seconds / static_cast<double>(state.step);
  return state.step + std::max<std::int64_t>(1, static_cast<std::int64_t>(left / update));
}

Config with_fitted_numbers(Config config, const Config& previous, const TrainerState& state) {
  auto& training = config.training;
  if (is_auto_vocab_size(config.tokenizer))
    config.tokenizer.vocab_size = previous.tokenizer.vocab_size;
  if (is_auto_batch_size(training) && previous.training.batch_type == training.batch_type)
    training.batch_size = previous.training.batch_size;
  if (is_auto_max_steps(training)) copy_fitted_steps(training, previous.training, state);
  const auto problems = violations(config);
  if (!problems.empty())
    throw ConfigError(
        "", to_text(problems.front()),
        "An automatic training.batch_size or training.max_steps comes from the run's first "
        "session. Set it in the config, or change the other field back.");
  return config;
}

}  // namespace tfm

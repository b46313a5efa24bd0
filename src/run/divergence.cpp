#include "tfm/run/divergence.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/core/error.h"

namespace tfm {

DivergenceAction record_update(const TrainingConfig& config, std::int64_t step, bool finite,
                               Divergence& state) {
  if (finite) {
    state.skipped_updates = 0;
    if (step > state.step) state.rollbacks = 0;
    return DivergenceAction::none;
  }
  ++state.skipped_updates;
  if (config.on_divergence == OnDivergence::skip ||
      state.skipped_updates < config.divergence_patience)
    return DivergenceAction::skip_update;
  return config.on_divergence == OnDivergence::rollback && state.rollbacks < max_rollbacks
             ? DivergenceAction::roll_back
             : DivergenceAction::stop;
}

std::optional<std::int64_t> rollback_limit(const Divergence& state) {
  return state.rollbacks > 0 && state.rollback_step >= 0 ? std::optional(state.rollback_step)
                                                         : std::nullopt;
}

Divergence after_rollback(const TrainingConfig& config, std::int64_t from, std::int64_t to,
                          const Divergence& before) {
  return {.skipped_updates = 0,
          .rollbacks = before.rollbacks + 1,
          .step = before.rollbacks > 0 ? std::max(before.step, from) : from,
          .rollback_step = to,
          .learning_rate_factor = before.learning_rate_factor * config.rollback_factor};
}

void throw_diverged(const TrainingConfig& config, std::int64_t step, const Divergence& state,
                    const std::string& run_folder) {
  std::string what = fmt::format(
      "training diverged at step {}: {} updates in a row had no finite loss or gradient", step,
      state.skipped_updates);
  if (config.on_divergence == OnDivergence::rollback) {
    what += state.rollbacks > 0
                ? fmt::format(", after {} rollbacks without progress", state.rollbacks)
                : ", and there is no checkpoint to go back to";
  }
  throw ModelError(run_folder, what,
                   "Try a lower training.learning_rate, more training.warmup_steps, or "
                   "training.clip_norm (for example 1), and check the lines of the training data "
                   "that are named above.");
}

}  // namespace tfm

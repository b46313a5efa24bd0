#include "tfm/training/divergence.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/core/error.h"

namespace tfm {

DivergenceAction record_update(const TrainingConfig& config, std::int64_t step, bool finite,
                               Divergence& state) {
  if (finite) {
    state.left_out = 0;
    if (step > state.step) state.rollbacks = 0;
    return DivergenceAction::none;
  }
  ++state.left_out;
  if (config.on_divergence == OnDivergence::ignore || state.left_out < config.divergence_patience)
    return DivergenceAction::leave_out;
  return config.on_divergence == OnDivergence::rollback && state.rollbacks < max_rollbacks
             ? DivergenceAction::roll_back
             : DivergenceAction::stop;
}

std::optional<std::int64_t> rollback_limit(const Divergence& state) {
  return state.rollbacks > 0 && state.back_to >= 0 ? std::optional(state.back_to) : std::nullopt;
}

Divergence rolled_back(const TrainingConfig& config, std::int64_t from, std::int64_t to,
                       const Divergence& before) {
  return {.left_out = 0,
          .rollbacks = before.rollbacks + 1,
          .step = before.rollbacks > 0 ? std::max(before.step, from) : from,
          .back_to = to,
          .rate_factor = before.rate_factor * config.rollback_factor};
}

void throw_diverged(const TrainingConfig& config, std::int64_t step, const Divergence& state,
                    const std::string& run_folder) {
  std::string what = fmt::format(
      "training diverged at step {}: {} updates in a row had no finite loss or gradient", step,
      state.left_out);
  if (config.on_divergence == OnDivergence::rollback) {
    what += state.rollbacks > 0
                ? fmt::format(", after {} rollbacks without progress", state.rollbacks)
                : ", and there is no checkpoint to go back to";
  }
  throw ModelError(run_folder, what,
                   "Try a lower training.learning_rate, more training.warmup_steps, or "
                   "training.clip_norm (1, say), and look at the lines of the "
                   "training text named above.");
}

}  // namespace tfm

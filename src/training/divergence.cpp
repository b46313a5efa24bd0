#include "tfm/training/divergence.h"

#include <fmt/format.h>

#include "tfm/core/error.h"

namespace tfm {

Remedy after_update(const TrainingConfig& config, std::int64_t step, bool finite, Divergence& state) {
  if (finite) {
    state.left_out = 0;
    if (step > state.step) state.rollbacks = 0;
    return Remedy::none;
  }
  ++state.left_out;
  if (config.on_divergence == OnDivergence::ignore || state.left_out < config.divergence_patience) return Remedy::leave_out;
  return config.on_divergence == OnDivergence::rollback && state.rollbacks < most_rollbacks ? Remedy::roll_back : Remedy::stop;
}

Divergence rolled_back(const TrainingConfig& config, std::int64_t step, const Divergence& before) {
  return {.left_out = 0, .rollbacks = before.rollbacks + 1, .step = step, .rate_factor = before.rate_factor * config.rollback_factor};
}

void stop_diverged(const TrainingConfig& config, std::int64_t step, const Divergence& state, const std::string& run_folder) {
  std::string what = fmt::format("training diverged at step {}: {} updates in a row had no finite loss or gradient", step, state.left_out);
  if (config.on_divergence == OnDivergence::rollback) {
    what +=
        state.rollbacks > 0 ? fmt::format(", after {} rollbacks without progress", state.rollbacks) : ", and there is no checkpoint to go back to";
  }
  throw ModelError(run_folder, what,
                   "Try a lower training.learning_rate, more training.warmup_steps, or training.clip_norm (1, say), and look at the lines of the "
                   "training text named above.");
}

}  // namespace tfm

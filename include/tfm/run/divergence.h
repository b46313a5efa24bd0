// The policy for updates whose loss or gradient is not finite. A single such update is skipped.
// Several in a row mean that the weights themselves are bad: the update that ruined them was still
// finite, and those after it are not. Training then rolls back to a checkpoint with a smaller
// learning rate, or it stops. All ranks see the same loss and gradient norm, so they decide alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// The part of the run's state that this policy needs. A resumed run therefore decides as if it had
/// never stopped.
struct Divergence {
  std::int64_t skipped_updates = 0;  ///< the number of consecutive skipped updates up to now
  std::int64_t rollbacks = 0;        ///< rollbacks since training last got past `step`
  std::int64_t step = -1;            ///< the latest step at which these rollbacks started
  std::int64_t rollback_step = -1;   ///< the step that the last rollback returned to; -1 if none
  double learning_rate_factor = 1;   ///< the product of all rollbacks' rollback_factor

  bool operator==(const Divergence&) const = default;
};

enum class DivergenceAction { none, skip_update, roll_back, stop };

/// The number of rollbacks without progress after which training stops.
inline constexpr std::int64_t max_rollbacks = 3;

/// Records the outcome of the update number `step` in the state and returns the action to take.
DivergenceAction record_update(const TrainingConfig& config, std::int64_t step, bool finite,
                               Divergence& state);

/// Returns the step that the next rollback's target must precede, since each rollback without
/// progress goes further back. Returns nullopt if any checkpoint is old enough.
std::optional<std::int64_t> rollback_limit(const Divergence& state);

/// Returns the state after a rollback from step `from` to the checkpoint of step `to`.
Divergence after_rollback(const TrainingConfig& config, std::int64_t from, std::int64_t to,
                          const Divergence& before);

/// Throws a ModelError that reports the divergence at `step` and suggests settings to change.
[[noreturn]] void throw_diverged(const TrainingConfig& config, std::int64_t step,
                                 const Divergence& state, const std::string& run_folder);

}  // namespace tfm

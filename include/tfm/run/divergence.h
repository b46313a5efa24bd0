// The policy for updates whose loss or gradient is not finite. A single such update is skipped.
// Several in a row mean that an earlier, still finite update has ruined the weights. Depending on
// training.on_divergence, training then rolls back to a checkpoint and lowers the learning rate,
// stops, or keeps skipping updates. All ranks see the same loss and gradient norm, so they decide
// alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// The policy's part of the run's state. Checkpoints store it, so a resumed run decides as if it
/// had never stopped.
struct Divergence {
  std::int64_t skipped_updates = 0;  ///< the number of consecutive skipped updates up to now
  std::int64_t rollbacks = 0;        ///< rollbacks since training last got past `step`
  std::int64_t step = -1;            ///< the latest step at which one of these rollbacks started
  std::int64_t rollback_step = -1;   ///< the step that the last rollback returned to; -1 if none
  double learning_rate_factor = 1;   ///< the product of all rollbacks' rollback_factor

  bool operator==(const Divergence&) const = default;
};

enum class DivergenceAction { none, skip_update, roll_back, stop };

/// The number of rollbacks without progress after which training stops.
inline constexpr std::int64_t max_rollbacks = 3;

/// Records in `state` whether update number `step` was finite, and returns the action to take.
DivergenceAction record_update(const TrainingConfig& config, std::int64_t step, bool finite,
                               Divergence& state);

/// Returns the step before which the next rollback's target must lie, because each rollback without
/// progress goes further back. Returns nullopt if there is no such limit.
std::optional<std::int64_t> rollback_limit(const Divergence& state);

/// Returns the state after a rollback from step `from` to the checkpoint of step `to`.
Divergence after_rollback(const TrainingConfig& config, std::int64_t from, std::int64_t to,
                          const Divergence& before);

/// Throws a ModelError that reports the divergence at `step` and suggests settings to change.
[[noreturn]] void throw_diverged(const TrainingConfig& config, std::int64_t step,
                                 const Divergence& state, const std::string& run_folder);

}  // namespace tfm

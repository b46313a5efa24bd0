// Decides what happens after an update whose loss or gradient is not finite. Such an update is
// skipped. If training.divergence_patience updates in a row are skipped, an earlier, still finite
// update has probably ruined the weights. Depending on training.on_divergence, training then rolls
// back to a checkpoint and lowers the learning rate, stops, or keeps skipping updates. All ranks
// see the same loss and gradient norm, so they decide alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// The part of the run's state on which these decisions depend. Checkpoints store it, so a resumed
/// run decides as if it had never stopped. Rollbacks without progress form a series. A series ends
/// with a finite update that is later than every update at which one of its rollbacks started.
struct Divergence {
  std::int64_t skipped_updates = 0;  ///< the number of consecutive skipped updates up to now
  std::int64_t rollbacks = 0;        ///< the number of rollbacks in the current series; 0 if none
  /// The largest step at which a rollback of the most recent series started; -1 before the first
  /// rollback.
  std::int64_t step = -1;
  std::int64_t rollback_step = -1;  ///< the target of the most recent rollback; -1 if none
  double learning_rate_factor = 1;  ///< the product of training.rollback_factor over all rollbacks

  bool operator==(const Divergence&) const = default;
};

enum class DivergenceAction { none, skip_update, roll_back, stop };

/// The number of rollbacks without progress after which another divergence stops training.
inline constexpr std::int64_t max_rollbacks = 3;

/// Records in `state` whether update number `step` was finite, and returns the action to take.
DivergenceAction record_update(const TrainingConfig& config, std::int64_t step, bool finite,
                               Divergence& state);

/// Returns the step that the last rollback returned to, or nullopt if training has made progress
/// since. The next rollback goes to a checkpoint before this step, if there is one.
std::optional<std::int64_t> rollback_limit(const Divergence& state);

/// Returns the state after a rollback from step `from` to the checkpoint of step `to`.
Divergence after_rollback(const TrainingConfig& config, std::int64_t from, std::int64_t to,
                          const Divergence& before);

/// Throws a ModelError that reports the divergence at `step` and suggests settings to change.
[[noreturn]] void throw_diverged(const TrainingConfig& config, std::int64_t step,
                                 const Divergence& state, const std::string& run_folder);

}  // namespace tfm

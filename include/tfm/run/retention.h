// Which checkpoints a run keeps, and which one it goes back to. A checkpoint is scheduled if the
// config or the end of training asked for it. One of an interruption must not push out those that
// the run would keep and average without the interruption.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tfm/run/divergence.h"

namespace tfm {

struct SavedCheckpoint {
  std::int64_t step = 0;
  bool scheduled = true;
  std::int64_t skipped_updates = 0;  ///< in a row, when the checkpoint was saved

  bool operator==(const SavedCheckpoint&) const = default;
};

/// The newest `count` scheduled checkpoints stay (at least one). An unscheduled one stays while it
/// is the newest, or while fewer than `count` are there.
struct RetentionPolicy {
  std::int64_t count = 1;
  /// Removes the unscheduled ones as well, but for the newest: a run that has ended leaves what it
  /// would have left without interruptions.
  bool scheduled_only = false;

  bool operator==(const RetentionPolicy&) const = default;
};

/// Returns the steps of the checkpoints that the policy does not keep.
std::vector<std::int64_t> to_remove(std::span<const SavedCheckpoint> oldest_first,
                                    const RetentionPolicy& policy);

/// Returns the step of the checkpoint to go back to after a divergence, out of undamaged ones: the
/// newest that is old enough (rollback_limit), or else the oldest. Checkpoints saved among skipped
/// updates do not count, nor do unscheduled ones if there are others. Returns nothing if none is
/// left.
std::optional<std::int64_t> rollback_target(std::span<const SavedCheckpoint> oldest_first,
                                            const Divergence& divergence);

}  // namespace tfm

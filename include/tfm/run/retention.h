// Decides which checkpoints a run keeps, and which one it rolls back to. A checkpoint is scheduled
// if it was due according to the config or was saved at the end of training. It is unscheduled if
// it was saved only because of an interruption or an error, if the last update before it was
// skipped, or if the validation of its weights gave no score. Unscheduled checkpoints must not
// replace those that an uninterrupted run would keep and average.
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
  std::int64_t skipped_updates = 0;  ///< number of consecutive updates skipped just before saving

  bool operator==(const SavedCheckpoint&) const = default;
};

/// Keeps the newest `count` scheduled checkpoints (at least one), and the newest checkpoint even if
/// it is unscheduled. If there are more than `count` checkpoints, older unscheduled ones are
/// removed first, until `count` are left.
struct RetentionPolicy {
  std::int64_t count = 1;
  /// Whether to remove all unscheduled checkpoints except the newest checkpoint, so that a run that
  /// was interrupted ends with the same checkpoints as one that was not.
  bool scheduled_only = false;

  bool operator==(const RetentionPolicy&) const = default;
};

/// Returns the steps of the checkpoints that the policy does not keep.
std::vector<std::int64_t> to_remove(std::span<const SavedCheckpoint> oldest_first,
                                    const RetentionPolicy& policy);

/// Returns the step of the checkpoint to go back to after a divergence: the newest one before
/// rollback_limit(), or the oldest if none precedes the limit. Checkpoints saved while updates were
/// being skipped do not count; unscheduled ones count only if no scheduled one is left. Returns
/// nullopt if no checkpoint counts. All given checkpoints must be valid.
std::optional<std::int64_t> rollback_target(std::span<const SavedCheckpoint> oldest_first,
                                            const Divergence& divergence);

}  // namespace tfm

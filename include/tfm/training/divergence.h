// What to do when the loss or the gradient is no longer a finite number. One such update is left
// out; several in a row mean that the weights themselves have gone wrong (an exploded update is
// finite itself, and only those after it are not), so training goes back to a checkpoint and on
// with smaller steps, or stops. Every rank sees the same norm and the same loss and so decides the
// same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// Part of a run's progress, so that a resumed run decides as one that never stopped.
struct Divergence {
  std::int64_t left_out = 0;   ///< updates in a row, up to now
  std::int64_t rollbacks = 0;  ///< in a row: since training last came past `step`
  std::int64_t step = -1;      ///< the furthest of those that these rollbacks went back from
  std::int64_t back_to = -1;   ///< where the last rollback went back to
  double rate_factor = 1;      ///< of the learning rate, from all rollbacks so far

  bool operator==(const Divergence&) const = default;
};

enum class DivergenceAction { none, leave_out, roll_back, stop };

/// Rollbacks without progress after which training stops.
inline constexpr std::int64_t max_rollbacks = 3;

/// Counts an update (step: its number) into the state and says what to do about it.
DivergenceAction record_update(const TrainingConfig& config, std::int64_t step, bool finite,
                               Divergence& state);

/// The step of the checkpoint that must be older than what training goes back to: each rollback
/// without progress goes further back. Nothing where the newest good one will do.
std::optional<std::int64_t> rollback_limit(const Divergence& state);

/// The state with which training goes on after it went back from step `from` to the checkpoint of
/// step `to`.
Divergence rolled_back(const TrainingConfig& config, std::int64_t from, std::int64_t to,
                       const Divergence& before);

/// Why training stops at `step`, as an error that says what to try.
[[noreturn]] void throw_diverged(const TrainingConfig& config, std::int64_t step,
                                 const Divergence& state, const std::string& run_folder);

}  // namespace tfm

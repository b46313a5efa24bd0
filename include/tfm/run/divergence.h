// The policy for updates whose loss or gradient is not a finite number. One such update is skipped.
// Several in a row mean that the weights themselves are bad: an exploded update is finite, and only
// the updates after it are not. Training then goes back to a checkpoint and uses a smaller learning
// rate, or it stops. Every rank sees the same norm and the same loss, so all decide alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// A part of the run's state, so that a resumed run decides as one that never stopped.
struct Divergence {
  std::int64_t skipped_updates = 0;  ///< in a row, up to now
  std::int64_t rollbacks = 0;        ///< in a row: since training last came past `step`
  std::int64_t step = -1;            ///< the furthest step that these rollbacks went back from
  std::int64_t rollback_step = -1;   ///< the step that the last rollback went back to
  double learning_rate_factor = 1;   ///< the product over all rollbacks so far

  bool operator==(const Divergence&) const = default;
};

enum class DivergenceAction { none, skip_update, roll_back, stop };

/// The number of rollbacks without progress after which training stops.
inline constexpr std::int64_t max_rollbacks = 3;

/// Counts an update (step: its number) into the state and returns what to do about it.
DivergenceAction record_update(const TrainingConfig& config, std::int64_t step, bool finite,
                               Divergence& state);

/// Returns the step that a rollback must go back past: each rollback without progress goes further
/// back. Returns nothing if the newest good checkpoint will do.
std::optional<std::int64_t> rollback_limit(const Divergence& state);

/// Returns the state with which training continues after it went back from step `from` to the
/// checkpoint of step `to`.
Divergence after_rollback(const TrainingConfig& config, std::int64_t from, std::int64_t to,
                          const Divergence& before);

/// Throws the error that ends training at `step`, with the settings to try.
[[noreturn]] void throw_diverged(const TrainingConfig& config, std::int64_t step,
                                 const Divergence& state, const std::string& run_folder);

}  // namespace tfm

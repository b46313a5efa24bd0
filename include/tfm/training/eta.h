// Estimates how long a session of training will still take, from its own speed. Earlier sessions do
// not count: they may have run on another machine or next to other programs.
#pragma once

namespace tfm {

/// The progress of training, in the units of its limits.
struct TrainingProgress {
  double seconds = 0;  ///< of training, including earlier sessions
  double steps = 0;
  double epochs = 0;
};

/// Returns the seconds until the nearest limit (0: no limit); infinity if there is no
/// limit or no progress yet.
double eta_seconds(const TrainingProgress& begin, const TrainingProgress& now,
                   const TrainingProgress& limits);

}  // namespace tfm

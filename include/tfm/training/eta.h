// Estimates the remaining time of training from the speed of the current session. Earlier sessions
// do not count, because they may have run on another machine or alongside other programs.
#pragma once

namespace tfm {

/// The progress of training, or its limits, in three units.
struct TrainingProgress {
  double seconds = 0;  ///< training time, including earlier sessions
  double steps = 0;
  double epochs = 0;
};

/// Returns the seconds until the nearest limit; infinity if there is no limit or no progress yet. A
/// limit of 0 is ignored.
double eta_seconds(const TrainingProgress& begin, const TrainingProgress& now,
                   const TrainingProgress& limits);

}  // namespace tfm

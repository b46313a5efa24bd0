// How long a session of training still takes at its own pace: what earlier sessions took, on
// another machine perhaps or beside other programs, does not count.
#pragma once

namespace tfm {

/// How far training is, in what its limits count.
struct TrainingProgress {
  double seconds = 0;  ///< of training, earlier sessions included
  double steps = 0;
  double epochs = 0;
};

/// limits: 0 is none. Until the nearest of them; infinity where there is none, or where nothing was
/// done yet.
double eta_seconds(const TrainingProgress& begin, const TrainingProgress& now,
                   const TrainingProgress& limits);

}  // namespace tfm

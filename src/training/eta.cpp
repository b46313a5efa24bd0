#include "tfm/training/eta.h"

#include <algorithm>
#include <limits>

namespace tfm {

double eta_seconds(const TrainingProgress& begin, const TrainingProgress& now,
                   const TrainingProgress& limits) {
  double left = std::numeric_limits<double>::infinity();
  const auto nearest = [&](double from, double done, double limit) {
    if (limit > 0 && done > from)
      left = std::min(left, (now.seconds - begin.seconds) * (limit - done) / (done - from));
  };
  nearest(begin.steps, now.steps, limits.steps);
  nearest(begin.epochs, now.epochs, limits.epochs);
  nearest(begin.seconds, now.seconds, limits.seconds);
  return std::max(0.0, left);
}

}  // namespace tfm

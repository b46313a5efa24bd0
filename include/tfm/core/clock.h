// The monotonic clock for measuring durations.
#pragma once

#include <chrono>

namespace tfm {

/// Returns the seconds since an arbitrary moment that does not change while the process runs.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace tfm

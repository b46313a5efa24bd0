// The monotonic clock for measuring durations.
#pragma once

#include <chrono>

namespace tfm {

/// Returns the seconds since an arbitrary moment, which is the same for the whole process.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace tfm

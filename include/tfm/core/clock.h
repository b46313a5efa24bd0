// The clock that durations are measured by: it never goes back.
#pragma once

#include <chrono>

namespace tfm {

/// Seconds since some moment that is the same for the whole process.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace tfm

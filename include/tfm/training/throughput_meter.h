// Measures tokens per second since the last reset. The caller passes the time, in seconds of any
// clock that never goes back, so that tests need not wait.
#pragma once

#include <cstdint>

namespace tfm {

class ThroughputMeter {
 public:
  /// now: seconds.
  explicit ThroughputMeter(double now) : start_(now) {}

  /// Counts the tokens (source and target) of one update.
  void add(std::int64_t tokens) { tokens_ += tokens; }
  /// Discards all updates; the rate counts from `now` (seconds).
  void reset(double now) { *this = ThroughputMeter(now); }

  /// Returns 0 if no time has passed since the last reset. now: seconds.
  double tokens_per_second(double now) const;

 private:
  double start_;
  std::int64_t tokens_ = 0;
};

}  // namespace tfm

// How fast a running loop is: tokens per second since the last reset. The caller passes the time
// in, in seconds of any clock that never runs back, so that a meter can be tested without waiting.
#pragma once

#include <cstdint>

namespace tfm {

class ThroughputMeter {
 public:
  /// now: seconds.
  explicit ThroughputMeter(double now) : start_(now) {}

  /// One update read so many tokens (source and target).
  void add(std::int64_t tokens) { tokens_ += tokens; }
  /// Forgets every update; the rate counts from now (seconds) on.
  void reset(double now) { *this = ThroughputMeter(now); }

  /// now: seconds. 0 where no time has passed since the last reset.
  double tokens_per_second(double now) const;

 private:
  double start_;
  std::int64_t tokens_ = 0;
};

}  // namespace tfm

// Measures tokens per second since the last reset. The caller passes the time of a monotonic clock,
// in seconds, so that tests need not wait.
#pragma once

#include <cstdint>

namespace tfm {

class ThroughputMeter {
 public:
  /// Starts measuring at `now`, in seconds.
  explicit ThroughputMeter(double now) : start_(now) {}

  /// Counts the tokens (source and target) of one update.
  void add(std::int64_t tokens) { tokens_ += tokens; }
  /// Discards all counts and starts measuring again at `now`.
  void reset(double now) { *this = ThroughputMeter(now); }

  /// Returns the rate since the last reset; 0 if no time has passed.
  double tokens_per_second(double now) const;

 private:
  double start_;
  std::int64_t tokens_ = 0;
};

}  // namespace tfm

// How fast a running loop is: tokens per second since the last reset. The caller passes the time
// in, in seconds of any clock that never runs back, so that a meter can be tested without waiting.
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

class Meter {
 public:
  /// now: seconds.
  explicit Meter(double now) : start_(now) {}

  /// One update read so many tokens (source and target).
  void add(std::int64_t tokens) { tokens_ += tokens; }
  /// Forgets every update; the rate counts from now (seconds) on.
  void reset(double now) { *this = Meter(now); }

  /// now: seconds. 0 where no time has passed since the last reset.
  double tokens_per_second(double now) const;

 private:
  double start_;
  std::int64_t tokens_ = 0;
};

/// "1h02m", "3m20s" or "45s", to the nearest second (from an hour on, minutes are cut, not
/// rounded); "?" for what is not finite, such as the time left at a rate of 0. Negative durations
/// read "0s".
std::string format_duration(double seconds);

/// "512 B", "1.5 MB", "24 GB": powers of 1000, as disks are sold.
std::string format_bytes(double bytes);

}  // namespace tfm

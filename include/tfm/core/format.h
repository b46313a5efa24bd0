// Human-readable durations and sizes.
#pragma once

#include <string>

namespace tfm {

/// Formats a duration as "1h02m", "3m20s" or "45s", to the nearest second; from one hour on, the
/// seconds are dropped. Returns "?" if the duration is not finite (such as the time left at zero
/// speed) and "0s" if it is negative.
std::string format_duration(double seconds);

/// Formats a size as "512 B", "1.5 MB" or "24 GB". Units are powers of 1000, as for disks.
std::string format_bytes(double bytes);

}  // namespace tfm

// Durations and sizes as people read them.
#pragma once

#include <string>

namespace tfm {

/// "1h02m", "3m20s" or "45s", to the nearest second (from an hour on, minutes are cut, not
/// rounded); "?" for what is not finite, such as the time left at a rate of 0. Negative durations
/// read "0s".
std::string format_duration(double seconds);

/// "512 B", "1.5 MB", "24 GB": powers of 1000, as disks are sold.
std::string format_bytes(double bytes);

}  // namespace tfm

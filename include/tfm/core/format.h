// Formats durations, sizes and counts for people, and makes text safe to print on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tfm {

/// Formats a duration as "1h02m", "3m20s" or "45s", to the nearest second; from one hour on, the
/// seconds are dropped. Returns "?" if the duration is not finite (such as the time left at zero
/// speed) and "0s" if it is negative.
std::string format_duration(double seconds);

/// Formats a size as "512 B", "1.5 MB" or "24 GB". Units are powers of 1000, as for disks.
std::string format_bytes(double bytes);

/// Formats a count with a comma between groups of three digits: "1,234,567".
std::string group_digits(std::int64_t count);

/// Returns "1 thread" or "2 threads": the count with the noun, whose plural has an s.
std::string with_noun(std::int64_t count, std::string_view noun);

/// Replaces control characters (C0 except line feed and tab, DEL, and C1 in UTF-8) by escapes such
/// as "\x1b". Training data and file names may contain them, and a terminal would interpret them.
std::string escape_controls(std::string_view text);

}  // namespace tfm

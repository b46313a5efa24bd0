#include "tfm/core/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tfm {

std::string format_duration(double seconds) {
  constexpr double longest = 1e15;  // seconds; the value must fit into std::int64_t
  if (!std::isfinite(seconds)) return "?";
  const auto total = static_cast<std::int64_t>(std::round(std::clamp(seconds, 0.0, longest)));
  if (total >= 3600) return fmt::format("{}h{:02}m", total / 3600, total / 60 % 60);
  if (total >= 60) return fmt::format("{}m{:02}s", total / 60, total % 60);
  return fmt::format("{}s", total);
}

std::string format_bytes(double bytes) {
  constexpr double unit = 1000;
  if (bytes < unit) return fmt::format("{:.0f} B", bytes);
  for (const char* name : {"kB", "MB", "GB"}) {
    bytes /= unit;
    if (bytes < unit) return fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 1 : 0, name);
  }
  return fmt::format("{:.1f} TB", bytes / unit);
}

std::string group_digits(std::int64_t count) {
  auto text = fmt::format("{}", count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (auto at = text.size(); at > first + 3;) text.insert(at -= 3, ",");
  return text;
}

std::string with_noun(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string escape_controls(std::string_view text) {
  constexpr char c1_lead = '\xC2';  // the first byte of U+0080 to U+00BF in UTF-8
  std::string escaped;
  escaped.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (text[i] == c1_lead && next >= 0x80 && next < 0xA0) {
      escaped += fmt::format("\\x{:02x}", next);
      ++i;
    } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
      escaped += fmt::format("\\x{:02x}", byte);
    } else {
      escaped += text[i];
    }
  }
  return escaped;
}

}  // namespace tfm

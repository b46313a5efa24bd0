// Formats and reads a fingerprint as eight hexadecimal digits, as in metrics.jsonl.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace tfm {

inline std::string to_hex(std::uint32_t fingerprint) { return fmt::format("{:08x}", fingerprint); }

inline std::optional<std::uint32_t> from_hex(const std::string& text) {
  std::uint32_t fingerprint = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, fingerprint, 16);
  return read.ec == std::errc() && read.ptr == end ? std::optional(fingerprint) : std::nullopt;
}

}  // namespace tfm

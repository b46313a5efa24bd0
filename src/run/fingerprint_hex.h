// Formats a fingerprint as eight hexadecimal digits, as in metrics.jsonl.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace tfm {

inline std::string to_hex(std::uint32_t fingerprint) { return fmt::format("{:08x}", fingerprint); }

}  // namespace tfm

// A short fingerprint of text, for reports and for noticing that data changed between a run and its continuation. Not for security.
#pragma once

#include <cstdint>
#include <string_view>

#include "tfm/data/corpus.h"

namespace tfm {

/// CRC-32 over every line of both sides, in order, then over `settings`.
std::uint32_t checksum(const ParallelText& text, std::string_view settings = "");

}  // namespace tfm

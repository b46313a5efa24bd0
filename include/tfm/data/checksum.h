// A short fingerprint of text, for reports and for noticing that data changed between a run and its continuation. Not for security.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tfm/data/corpus.h"

namespace tfm {

/// CRC-32 over every line of both sides, in order, then over `settings`.
std::uint32_t checksum(const ParallelText& text, std::string_view settings = "");

/// CRC-32 over the whole file. Throws DataError.
std::uint32_t checksum_of_file(const std::filesystem::path& file);

}  // namespace tfm

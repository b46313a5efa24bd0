// A short fingerprint of text or of a file, for reports and for noticing that data changed between
// a run and its continuation. Not for security.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "tfm/data/corpus.h"
#include "tfm/text/tokenizer.h"

namespace tfm {

/// CRC-32 over every line of both sides, in order, then over `settings`.
std::uint32_t checksum(const ParallelText& text, std::string_view settings = "");

/// CRC-32 over every piece of a vocabulary, in order.
std::uint32_t checksum(const Tokenizer& tokenizer);

struct FileFingerprint {
  std::uintmax_t bytes = 0;
  std::string crc32;  ///< eight hexadecimal digits
};

/// Of the whole file. Throws DataError where it can't be read.
FileFingerprint fingerprint(const std::filesystem::path& file);

}  // namespace tfm

// A short fingerprint of a file: its size and CRC-32. Reports show the fingerprint, so that a
// reader can check whether the file has changed since. The fingerprint is not cryptographic: a file
// can be forged to match.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tfm {

struct FileFingerprint {
  std::uintmax_t bytes = 0;
  std::string crc32;  ///< eight hexadecimal digits
};

/// Returns the fingerprint of the complete file. Throws DataError if the file can't be read or is
/// not a regular file.
FileFingerprint fingerprint(const std::filesystem::path& file);

}  // namespace tfm

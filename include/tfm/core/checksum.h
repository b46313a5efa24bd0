// CRC-32 checksums, and a short fingerprint of a file: its size and CRC-32. Reports show the
// fingerprint, so that a reader can check whether the file has changed since. Neither is
// cryptographic: a file can be forged to match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tfm {

/// The CRC-32 of bytes that are added piece by piece.
class Crc32 {
 public:
  /// Continues a checksum; 0 is that of no bytes.
  explicit Crc32(std::uint32_t value = 0) : value_(value) {}
  void add(const void* data, std::size_t bytes);
  void add(std::string_view text) { add(text.data(), text.size()); }
  /// Adds the next `bytes` bytes by their checksum, without the bytes.
  void append(std::uint32_t next, std::int64_t bytes);
  std::uint32_t value() const { return value_; }
  /// Returns the checksum as eight hexadecimal digits.
  std::string hex() const;

 private:
  std::uint32_t value_;
};

struct FileFingerprint {
  std::uintmax_t bytes = 0;
  std::string crc32;  ///< eight hexadecimal digits
};

/// Returns the fingerprint of the complete file. Throws DataError if the file can't be read or is
/// not a regular file.
FileFingerprint fingerprint(const std::filesystem::path& file);

}  // namespace tfm

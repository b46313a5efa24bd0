// Reads the entries of a zip archive in memory (PKWARE's APPNOTE, sections 4.3 to 4.5) through its
// central directory. Archives of more than 4 GiB or 65,535 entries (zip64) are read too. Entries of
// an archive have different names and together are not larger than the archive.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tfm {

/// Describes what is wrong with an archive; the caller adds the file name.
class MalformedArchive : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The header of an entry in the central directory.
struct ZipEntry {
  std::uint16_t method = 0;  ///< of compression; 0 if the entry is stored as it is
  std::uint32_t checksum = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t local_header = 0;  ///< its position in the archive
};

/// Returns the entries by name, and reads none of them. Throws MalformedArchive if the directory is
/// corrupt or two entries have the same name.
std::map<std::string, ZipEntry> list_zip(std::string_view archive);

/// Returns the bytes of an entry, which are a part of the archive. Throws MalformedArchive if the
/// entry is compressed or its checksum is wrong. PyTorch can leave out checksums; it then writes 0,
/// which is not checked.
std::string_view stored_bytes(std::string_view archive, const ZipEntry& entry);

/// Returns the unpacked entries by name. Throws MalformedArchive if the archive is corrupt or of an
/// unsupported kind.
std::map<std::string, std::string> unzip(std::string_view archive);

}  // namespace tfm

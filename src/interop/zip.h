// Reads the entries of a zip archive in memory (PKWARE's APPNOTE, sections 4.3 and 4.4) through its
// central directory.
#pragma once

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

/// Returns the unpacked entries by name. Throws MalformedArchive if the archive is corrupt or of an
/// unsupported kind.
std::map<std::string, std::string> unzip(std::string_view archive);

}  // namespace tfm

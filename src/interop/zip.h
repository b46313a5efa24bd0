// The entries of a zip archive in memory (PKWARE's APPNOTE, sections 4.3 and 4.4): its central
// directory says where each lies.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tfm {

/// What is wrong with the archive's bytes; whoever knows the file's name tells it.
class MalformedArchive : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Name -> content, unpacked. Throws MalformedArchive.
std::map<std::string, std::string> unzip(std::string_view archive);

}  // namespace tfm

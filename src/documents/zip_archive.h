// An archive of an office format in memory (libzip). Entries that are not replaced are copied as
// they are, without unpacking them. No entry is written to a disk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/documents/document.h"

namespace tfm {

class ZipArchive {
 public:
  /// Throws DataError if the bytes are not an archive, exceed the limits, or have an entry that is
  /// encrypted or whose path leaves the archive. `name` is the one of the document in errors.
  ZipArchive(std::string name, std::string bytes, const ArchiveLimits& limits);
  ~ZipArchive();

  /// Returns the paths of the entries, in their order.
  const std::vector<std::string>& entries() const { return entries_; }
  bool has(std::string_view entry) const;
  /// Returns the content of an entry. Throws DataError if it is missing or cannot be unpacked.
  std::string read(const std::string& entry) const;
  /// Returns the archive with other content of some entries, by their paths. Throws DataError.
  std::string with_entries(const std::map<std::string, std::string>& replaced) const;

 private:
  class Handle;

  std::uint64_t find(const std::string& entry) const;
  [[noreturn]] void fail(const std::string& entry, const std::string& problem) const;
  void check_entries(const ArchiveLimits& limits);

  std::string name_;
  std::string bytes_;
  std::vector<std::string> entries_;
  std::map<std::string, std::uint64_t, std::less<>> index_;  // path to its first entry
  std::unique_ptr<Handle> archive_;
};

}  // namespace tfm

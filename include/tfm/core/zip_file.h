// Writes a zip file atomically: it has its name only after commit(). The entries are deflated with
// libarchive.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tfm {

class ZipFile {
 public:
  /// Starts a file, which replaces an existing one. Throws ModelError with the file name if it
  /// can't be written.
  explicit ZipFile(const std::filesystem::path& file);
  ~ZipFile();
  ZipFile(const ZipFile&) = delete;
  ZipFile& operator=(const ZipFile&) = delete;

  /// Adds an entry. `name` is its path in the archive, with "/" between the components. Throws
  /// ModelError if the file can't be written.
  void add(const std::string& name, std::string_view content);
  /// Adds the files of a folder and of its subfolders, sorted by name, as entries below `name`.
  /// Throws ModelError if a file can't be read or written.
  void add_folder(const std::string& name, const std::filesystem::path& folder);
  /// Completes the file and gives it its name. Throws ModelError on failure.
  void commit();

 private:
  class Archive;
  std::unique_ptr<Archive> archive_;
};

}  // namespace tfm

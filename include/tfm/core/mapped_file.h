// A file in memory without reading it: its pages are loaded when they are used, and shared with
// other processes until something writes to them.
#pragma once

#include <cstddef>
#include <filesystem>

namespace tfm {

/// A whole file, mapped copy-on-write: writing to its memory does not change the file.
class MappedFile {
 public:
  /// Throws ModelError if the file can't be opened or mapped.
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  char* bytes() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// Gives mapped memory back to the system, which reads it from the file again when it is used
/// again. What was written to it is lost.
void release_mapped_pages(const void* begin, std::size_t bytes);

}  // namespace tfm

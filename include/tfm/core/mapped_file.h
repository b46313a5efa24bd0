// A memory-mapped file. Its pages are loaded on first use. Other processes share each page until
// this process writes to it.
#pragma once

#include <cstddef>
#include <filesystem>

namespace tfm {

/// A complete file, mapped copy-on-write: writing to its memory does not change the file.
class MappedFile {
 public:
  /// Throws ModelError if the file is not a regular file or can't be opened or mapped.
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

/// Releases the complete pages of this memory range of a MappedFile. They are read from the file
/// again on the next access; changes to them are lost.
void release_mapped_pages(const void* begin, std::size_t bytes);

}  // namespace tfm

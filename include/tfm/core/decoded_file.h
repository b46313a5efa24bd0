// A file whose bytes are decompressed while they are read. The content decides whether it is plain,
// gzip, Zstandard, xz or bzip2; a plain file whose name ends in .gz, .zst, .xz or .bz2 is refused.
// An end of the file within compressed data, and other bytes after it, are errors, so that no line
// is lost silently. Memory use does not depend on the size of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "tfm/core/input_file.h"

namespace tfm {

class DecodedFile {
 public:
  /// Opens the file as InputFile does.
  explicit DecodedFile(std::filesystem::path file, OnWait on_wait = {});
  ~DecodedFile();
  DecodedFile(const DecodedFile&) = delete;
  DecodedFile& operator=(const DecodedFile&) = delete;

  /// Reads at most `capacity` decompressed bytes and returns their number, or 0 at the end. Throws
  /// DataError if the compressed data is truncated or corrupt, or if the name promises another
  /// content. `where` is the place that the error message names. Throws as InputFile::read does if
  /// the file can't be read or a signal ends the wait for data.
  std::size_t read(char* bytes, std::size_t capacity, const std::string& where);

  /// Returns the number of bytes of the file that have been decoded so far; for a compressed file,
  /// compressed bytes.
  std::int64_t bytes_read() const;
  const std::filesystem::path& file() const;

 private:
  struct State;  // keeps the headers of the compression libraries out of this header
  std::unique_ptr<State> state_;
};

/// Returns the path without the ending of a compressed file: "train.de" for "train.de.gz".
std::filesystem::path without_compression_ending(const std::filesystem::path& file);

/// Returns the plain file if it exists, otherwise the compressed file of that name ("train.de.gz"
/// for "train.de"), or an empty path if there is none.
std::filesystem::path find_plain_or_compressed(const std::filesystem::path& plain);

/// Returns the compressions and the versions of their libraries, such as "gzip (zlib 1.2.13)".
std::string describe_compressions();

}  // namespace tfm

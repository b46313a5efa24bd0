// Reads the lines of a text file, plain or compressed (decoded_file.h). A line ends with LF or
// CRLF; the last line may end with the file. A byte order mark at the start of the file is dropped.
// Memory use does not depend on the size of the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/core/input_file.h"

namespace tfm {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class LineReader {
 public:
  /// Opens the file as InputFile does.
  explicit LineReader(std::filesystem::path file, OnWait on_wait = {});
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// Reads the next line; returns false at the end. Throws as DecodedFile::read does, with the file
  /// and the number of the line, and DataError if the text is UTF-16.
  bool next(std::string& line);
  /// Returns the number of lines read so far, which is the 1-based number of the last line read.
  std::int64_t line_number() const { return line_number_; }
  /// Returns the number of bytes of the file that have been decoded so far; for a compressed
  /// file, compressed bytes.
  std::int64_t bytes_read() const;
  const std::filesystem::path& file() const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
  std::int64_t line_number_ = 0;
};

/// Returns all lines of the file. Throws as LineReader does.
std::vector<std::string> read_lines(const std::filesystem::path& file);

}  // namespace tfm

// Lines of a text file, plain or gzip (told by content, not by name). A line's end is LF or CRLF; a
// byte order mark at the start is dropped; a last line without its end counts. Reads in constant
// memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Takes off a line, read up to its LF, what belongs to the file and not to the line: the CR of
/// CRLF, and the byte order mark if the line is the first. ended: by LF, and not by the file's end.
/// False if there is no line: the mark was all that the file held.
bool trim_line(std::string& line, bool first, bool ended);

class LineReader {
 public:
  /// Throws DataError where the file can't be opened.
  explicit LineReader(std::filesystem::path file);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// False at the end. Throws DataError (file, line) where the file is cut short or its gzip data
  /// is damaged.
  bool next(std::string& line);
  /// Lines read so far: the 1-based number of the line that next gave last.
  std::int64_t line_number() const { return line_number_; }
  /// Of the file as it is stored, compressed or not: how far it was read.
  std::int64_t bytes_read() const;
  const std::filesystem::path& file() const { return file_; }

 private:
  struct Handle;  // keeps zlib out of the header
  std::unique_ptr<Handle> handle_;
  std::filesystem::path file_;
  std::int64_t line_number_ = 0;
};

/// The whole file. Throws DataError.
std::vector<std::string> read_lines(const std::filesystem::path& file);

}  // namespace tfm

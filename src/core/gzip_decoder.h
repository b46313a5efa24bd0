// Reads a text file and decompresses it if its content is gzip. A gzip file has one or several
// members, and zero bytes may follow the last one. Other bytes after a member, and an end of the
// file within a member, are errors, so that no line is lost silently.
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "tfm/core/input_file.h"

namespace tfm {

class GzipDecoder {
 public:
  /// Throws DataError if the file can't be opened.
  explicit GzipDecoder(std::filesystem::path file);
  ~GzipDecoder();
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  /// Reads at most `capacity` bytes of text and returns their number, or 0 at the end. Throws
  /// DataError if the gzip data is corrupt or truncated, or if a file named .gz is not gzip.
  /// `where` is the place that the error message names.
  std::size_t read(char* bytes, std::size_t capacity, const std::string& where);

  /// Returns the number of bytes of the file (compressed bytes for gzip) that have been decoded.
  std::int64_t bytes_read() const { return bytes_read_ - std::ssize(rest_); }
  const std::filesystem::path& file() const { return input_.file(); }

 private:
  enum class State { unknown, plain, in_member, between_members, at_end };

  bool fill(std::size_t wanted);
  void detect(const std::string& where);
  void start_member(const std::string& where);
  std::size_t inflate_some(char* bytes, std::size_t capacity, const std::string& where);

  InputFile input_;
  State state_ = State::unknown;
  z_stream stream_{};
  bool has_stream_ = false;
  std::array<char, 1 << 16> buffer_;
  std::string_view rest_;  // the part of buffer_ that is not decoded yet
  std::int64_t bytes_read_ = 0;
};

}  // namespace tfm

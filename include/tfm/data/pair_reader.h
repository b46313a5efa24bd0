// Reads two files in parallel, line by line, in constant memory: line i of one belongs to line i of
// the other.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/core/line_reader.h"

namespace tfm {

class PairReader {
 public:
  /// Throws DataError if a file can't be opened.
  PairReader(const std::filesystem::path& source, const std::filesystem::path& target)
      : source_(source), target_(target) {}

  /// Reads the next pair; returns false at the end of both files. Throws DataError if only one file
  /// ends; the message names the empty file, or both files with their line counts.
  bool next(std::string& source, std::string& target);
  /// The number of pairs read so far, which is the 1-based line number of the last one.
  std::int64_t line_number() const { return source_.line_number(); }
  const LineReader& source() const { return source_; }

 private:
  LineReader source_;
  LineReader target_;
};

/// Reads both files once and throws as PairReader does. Does nothing if one is not a regular file,
/// such as a pipe, which can be read only once. PairReader then detects a difference when it reads
/// the files.
void check_line_counts(const std::filesystem::path& source, const std::filesystem::path& target);

}  // namespace tfm

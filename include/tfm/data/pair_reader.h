// Reads two files in parallel, line by line, in constant memory: line i of one file belongs to line
// i of the other.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/core/line_reader.h"

namespace tfm {

class PairReader {
 public:
  /// Opens the files. Throws DataError if a file can't be opened.
  PairReader(const std::filesystem::path& source, const std::filesystem::path& target)
      : source_(source), target_(target) {}

  /// Reads the next pair of lines; returns false at the end of both files. Throws DataError if only
  /// one file ends. The message names the file that is empty, or both files with their line counts.
  bool next(std::string& source, std::string& target);
  /// Returns the number of pairs read so far, which is the line number, from 1, of the last pair.
  std::int64_t line_number() const { return source_.line_number(); }
  const LineReader& source() const { return source_; }

 private:
  LineReader source_;
  LineReader target_;
};

/// Reads both files once, and throws DataError as PairReader does. Does nothing if one of the files
/// is a pipe or a device, which may be readable only once. PairReader then detects unequal line
/// counts when it reads the files.
void check_line_counts(const std::filesystem::path& source, const std::filesystem::path& target);

}  // namespace tfm

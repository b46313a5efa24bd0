// Reads pairs of source and target in constant memory: from two files, where line i of one belongs
// to line i of the other, or from one file with both on each line, separated by a tab.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tfm/core/line_reader.h"

namespace tfm {

class PairReader {
 public:
  /// Opens the files. Throws DataError if a file can't be opened.
  PairReader(const std::filesystem::path& source, const std::filesystem::path& target)
      : source_(source), target_(target) {}

  /// Opens a file whose lines have a source, a tab and a target. Throws like the other constructor.
  explicit PairReader(const std::filesystem::path& pairs) : source_(pairs) {}

  /// Reads the next pair; returns false at the end. Throws DataError if a line of a single file
  /// does not have exactly one tab, or if only one of two files ends. In the second case, the
  /// message names the file that is empty, or both files with their line counts.
  bool next(std::string& source, std::string& target);
  /// Returns the number of pairs read so far, which is the line number, from 1, of the last pair.
  std::int64_t line_number() const { return source_.line_number(); }
  const LineReader& source() const { return source_; }

 private:
  LineReader source_;
  std::optional<LineReader> target_;  // unset if one file has both sides
};

/// Reads both files once, and throws DataError as PairReader does. Does nothing if one of the files
/// is_stream. PairReader then detects unequal line counts when it reads the files.
void check_line_counts(const std::filesystem::path& source, const std::filesystem::path& target);

/// Does the same for one file with both sides.
void check_tabs(const std::filesystem::path& pairs);

}  // namespace tfm

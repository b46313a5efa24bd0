// Two files read side by side, line by line, in constant memory: line i of one belongs to line i of
// the other.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/core/line_reader.h"

namespace tfm {

class PairReader {
 public:
  /// Throws DataError where a file can't be opened.
  PairReader(const std::filesystem::path& source, const std::filesystem::path& target)
      : source_(source), target_(target) {}

  /// False where both end. Throws DataError where only one does: naming both files and their line
  /// counts, or the one that is empty.
  bool next(std::string& source, std::string& target);
  /// Pairs read so far: the 1-based line number of the last one.
  std::int64_t line_number() const { return source_.line_number(); }

 private:
  LineReader source_;
  LineReader target_;
};

/// Reads both files once. Throws as PairReader does. A file that can be read only once (a pipe) is
/// left alone: its reader will find out.
void check_line_counts(const std::filesystem::path& source, const std::filesystem::path& target);

}  // namespace tfm

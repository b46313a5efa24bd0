// Constraints for the translations of single lines, from files whose line i belongs to line i of
// the input.
#pragma once

#include <filesystem>
#include <optional>

#include "tfm/core/line_reader.h"
#include "tfm/translate/constraints.h"

namespace tfm {

class ConstraintFiles {
 public:
  /// Line i of the file `prefixes` is the target prefix of input line i. Line i of `phrases` has
  /// its forced phrases, separated by tabs. An empty path stands for no file. Throws DataError if a
  /// file can't be opened.
  ConstraintFiles(const std::filesystem::path& prefixes, const std::filesystem::path& phrases);

  bool has_files() const { return prefixes_.has_value() || phrases_.has_value(); }
  /// Reads the constraints of the next line. Throws DataError if a file has ended.
  LineConstraints next();
  /// Throws DataError if a file has lines that next() has not read.
  void expect_end();

 private:
  std::optional<LineReader> prefixes_;
  std::optional<LineReader> phrases_;
};

}  // namespace tfm

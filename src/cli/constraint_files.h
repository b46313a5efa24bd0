// Reads translation constraints from files. Line i of each file constrains the translation of line
// i of the input.
#pragma once

#include <filesystem>
#include <optional>

#include "tfm/core/line_reader.h"
#include "tfm/translate/constraints.h"

namespace tfm {

class ConstraintFiles {
 public:
  /// Line i of the file `prefixes` is the target prefix of input line i. Line i of `phrases`
  /// contains the forced phrases of input line i, separated by tabs. If a path is empty, there are
  /// no constraints of its kind. Throws DataError if a file can't be opened.
  ConstraintFiles(const std::filesystem::path& prefixes, const std::filesystem::path& phrases);

  bool has_files() const { return prefixes_.has_value() || phrases_.has_value(); }
  /// Reads the constraints of the next input line. Throws DataError if a file has too few lines.
  LineConstraints next();
  /// Throws DataError if a file has lines that next() has not read.
  void expect_end();

 private:
  std::optional<LineReader> prefixes_;
  std::optional<LineReader> phrases_;
};

}  // namespace tfm

// What users want of single lines' translations, from files whose line i belongs to the input's
// line i.
#pragma once

#include <filesystem>
#include <optional>

#include "tfm/core/line_reader.h"
#include "tfm/translate/constraints.h"

namespace tfm {

class ConstraintFiles {
 public:
  /// prefixes: how translations begin; phrases: what they contain, separated by tabs. Empty: no
  /// such file. Throws DataError where one can't be opened.
  ConstraintFiles(const std::filesystem::path& prefixes, const std::filesystem::path& phrases);

  bool any() const { return prefixes_.has_value() || phrases_.has_value(); }
  /// Of the next line. Throws DataError where a file has ended.
  LineConstraints next();
  /// Throws DataError where a file has lines left over.
  void expect_end();

 private:
  std::optional<LineReader> prefixes_;
  std::optional<LineReader> phrases_;
};

}  // namespace tfm

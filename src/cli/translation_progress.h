// How far the translation of a file is, on a terminal's live line: "12288 lines, 34.1%, 95.2
// lines/s, 3 min left".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "tfm/core/line_reader.h"
#include "tfm/core/progress_line.h"

namespace tfm {

class TranslationProgress {
 public:
  /// The reader must outlive this.
  explicit TranslationProgress(const LineReader& input);

  /// What was done by a session before this one: speed is counted from here on.
  void begin(std::int64_t lines);
  /// lines: of the whole file so far.
  void show(std::int64_t lines);

 private:
  double share_done() const;

  const LineReader& input_;
  std::optional<std::uintmax_t> size_;  // of a regular file, as it is stored
  std::int64_t first_line_ = 0;
  double first_share_ = 0;
  double begun_;
  ProgressLine line_;
};

}  // namespace tfm

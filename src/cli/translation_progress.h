// The progress of a file's translation on a terminal's progress line: "12288 lines, 34.1%, 95.2
// lines/s, 3m20s left".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "tfm/core/line_reader.h"
#include "tfm/core/progress_line.h"

namespace tfm {

class TranslationProgress {
 public:
  /// The reader must outlive the progress.
  explicit TranslationProgress(const LineReader& input);

  /// Starts the clock after the lines that an earlier session has translated.
  void begin(std::int64_t lines);
  /// Shows the number of lines translated so far, earlier sessions included.
  void show(std::int64_t lines);

 private:
  double share_done() const;

  const LineReader& input_;
  std::optional<std::uintmax_t> size_;  // stored size; unknown unless the file is a regular one
  std::int64_t first_line_ = 0;
  double first_share_ = 0;
  double begun_;
  ProgressLine line_;
};

}  // namespace tfm

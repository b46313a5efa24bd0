// Shows the progress of a command that reads lines: on the terminal's progress line while the
// command runs ("12288 lines, 34.1%, 95.2 lines/s, 3m20s left"), and in one log message at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/core/line_reader.h"
#include "tfm/core/progress_line.h"

namespace tfm {

/// A function that returns the share of the input that has been read, from 0 to 1.
using ShareRead = std::function<double()>;

/// Returns a function for the share of the bytes of the reader's file that have been decoded
/// (compressed bytes if it is compressed). Returns nullptr if the file is not a regular file,
/// because its size is then unknown. The reader must outlive the function.
ShareRead share_of_file(const LineReader& input);

/// The progress of a command that reads lines, as numbers.
struct LineCount {
  std::int64_t lines = 0;      ///< processed lines, including those of earlier sessions
  std::int64_t new_lines = 0;  ///< lines that this session has processed
  double seconds = 0;          ///< the time that new_lines took
  /// the share of the input that is processed, from 0 to 1; nullopt if it is unknown
  std::optional<double> share{};
  double first_share = 0;  ///< the share that was processed before this session
  std::string_view unit = "line";
};

/// Returns "12288 lines, 34.1%, 95.2 lines/s, 3m20s left", without the share and the time left if
/// the share is unknown.
std::string format_progress(const LineCount& count);
/// Returns "1000 lines in 12.3 s, 81.3 lines/s".
std::string format_total(const LineCount& count);

class LineProgress {
 public:
  /// If `share_read` is nullptr, the share and the time left are not shown. If `shown` is false,
  /// only the total is logged.
  explicit LineProgress(ShareRead share_read = nullptr, bool shown = true);

  /// Starts the clock. `lines` is the number of lines that earlier sessions have processed.
  void begin(std::int64_t lines);
  /// Shows that `lines` lines are processed, including those of earlier sessions. The next `chunk`
  /// lines have been read, and the share `share_of_chunk` (0 to 1) of them is processed as well.
  void show(std::int64_t lines, std::int64_t chunk = 0, double share_of_chunk = 0);
  /// Logs `done` (such as "translated"), the number of lines of this session, their time and speed.
  /// `lines` includes the lines of earlier sessions.
  void log_total(const char* done, std::int64_t lines) const;

 private:
  LineCount count(std::int64_t lines, double now) const;

  ShareRead share_read_;
  std::optional<ProgressLine> line_;
  double share_ = 0;  // the share of the input that was read before the current chunk
  std::int64_t first_line_ = 0;
  double first_share_ = 0;
  double begun_;
};

}  // namespace tfm

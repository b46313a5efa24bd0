// A progress line at the bottom of a terminal, which is rewritten in place. The log appears above
// it: the log's sink (log.cpp) calls print_above_progress, which erases the line, prints the
// message and draws the line again. If stderr is not a terminal, the line is not shown.
#pragma once

#include <functional>
#include <string_view>

namespace tfm {

/// The progress line of the process. If several exist, because a step of some work has a line of
/// its own, the terminal has the newest text. The destructor erases it.
class ProgressLine {
 public:
  /// Enables the line if stderr is a terminal and the log prints information (not with --quiet).
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// True if the line is enabled and was not rewritten for a quarter of a second, so that it is
  /// worth composing a new text. `now` is steady_seconds().
  bool is_due(double now);
  /// Shows the text, which must be ASCII. It is truncated to the width of the terminal.
  void show(std::string_view text);

 private:
  bool enabled_;
  double shown_at_ = -1;
};

/// Prints a log message above the progress line, if it is shown.
void print_above_progress(const std::function<void()>& print);

}  // namespace tfm

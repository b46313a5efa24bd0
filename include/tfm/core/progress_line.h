// A progress line at the bottom of a terminal, which is rewritten in place. The log appears above
// it: the log's sink (log.cpp) calls print_above_progress, which erases the line, prints the
// message and draws the line again.
#pragma once

#include <functional>
#include <string_view>

namespace tfm {

/// The progress line of the process. Several objects may exist at once, for example one for a
/// command and one for a step of its work. The terminal shows the text that was passed to show()
/// last. The destructor erases the text.
class ProgressLine {
 public:
  /// Enables the line if stderr is a terminal that understands control sequences and the log prints
  /// information (not with --quiet). Otherwise, the line is never shown.
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_enabled() const { return enabled_; }
  /// Returns true if the caller should compose and show a new text: at most four times per second,
  /// and never if the line is not enabled. `now` is steady_seconds().
  bool is_due(double now);
  /// Shows the text, which must be ASCII. Fields that do not fit into the terminal's width are left
  /// out; fields are separated by two spaces or ", ".
  void show(std::string_view text);

 private:
  bool enabled_;
  double shown_at_ = -1;
};

/// Calls print(), which prints a log message, and keeps the progress line below the message.
void print_above_progress(const std::function<void()>& print);

}  // namespace tfm

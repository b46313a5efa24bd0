// A line at the bottom of a terminal that tells how far long work is and is rewritten in place. The
// log goes above it: a message erases the line, prints itself and draws the line again (log.cpp's
// sink calls print_above_progress). Where stderr is no terminal there is no such line.
#pragma once

#include <functional>
#include <string_view>

namespace tfm {

/// One at a time. It is erased when this goes.
class ProgressLine {
 public:
  /// Shown where stderr is a terminal and the log tells information (not with --quiet).
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether it is worth making a new text: there is a line and it was not rewritten for a quarter
  /// of a second. now: seconds of a steady clock.
  bool due(double now);
  /// ASCII; what is longer than the terminal is wide is cut.
  void show(std::string_view text);

 private:
  bool wanted_;
  double shown_at_ = -1;
};

/// Prints a log message with the line, if there is one, out of its way.
void print_above_progress(const std::function<void()>& print);

}  // namespace tfm

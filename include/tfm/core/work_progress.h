// Shows how far a step of work is: on the terminal's progress line or, if stderr is not a terminal,
// in a log message every ten seconds ("cleaning: 12288 pairs, 34.1%, 95.2 pairs/s, 3m20s left").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/core/clock.h"
#include "tfm/core/progress_line.h"

namespace tfm {

class WorkProgress {
 public:
  /// `work` names the step ("cleaning"), `unit` what is counted ("pair"). `now` is
  /// steady_seconds().
  WorkProgress(std::string work, std::string_view unit, double now = steady_seconds());

  /// Shows that `count` units are done, which is the share `share` (0 to 1) of the step. Cheap
  /// enough to be called hundreds of times per second.
  void show(std::int64_t count, std::optional<double> share, double now = steady_seconds());
  /// Shows a part of the step that counts nothing: "learning: counting pairs, 12s".
  void show(std::string_view part, double now = steady_seconds());
  /// Restarts the clock of the rate and of the time left: counting begins now.
  void begin_count(double now = steady_seconds()) { count_begun_ = now; }

 private:
  bool is_due(double now);
  void print(const std::string& text);

  std::string work_;
  std::string_view unit_;
  ProgressLine line_;
  double begun_;
  double count_begun_;
  double logged_at_;
};

}  // namespace tfm

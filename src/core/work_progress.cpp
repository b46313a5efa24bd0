#include "tfm/core/work_progress.h"

#include <fmt/format.h>

#include <utility>

#include "tfm/core/format.h"
#include "tfm/core/line_progress.h"
#include "tfm/core/log.h"

namespace tfm {

WorkProgress::WorkProgress(std::string work, std::string_view unit, double now)
    : work_(std::move(work)), unit_(unit), begun_(now), count_begun_(now), logged_at_(now) {}

bool WorkProgress::is_due(double now) {
  constexpr double pause = 10;  // seconds between two log messages
  const bool due = line_.is_enabled() ? line_.is_due(now) : now - logged_at_ >= pause;
  if (due) logged_at_ = now;
  return due;
}

void WorkProgress::print(const std::string& text) {
  if (line_.is_enabled()) {
    line_.show(text);
  } else {
    log_info("{}", text);
  }
}

void WorkProgress::show(std::int64_t count, std::optional<double> share, double now) {
  if (!is_due(now)) return;
  print(work_ + ": " +
        format_progress({.lines = count,
                         .new_lines = count,
                         .seconds = now - count_begun_,
                         .share = share,
                         .unit = unit_}));
}

void WorkProgress::show(std::string_view part, double now) {
  if (is_due(now)) print(fmt::format("{}: {}, {}", work_, part, format_duration(now - begun_)));
}

}  // namespace tfm

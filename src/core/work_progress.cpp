#include "tfm/core/work_progress.h"

#include <utility>

#include "tfm/core/line_progress.h"
#include "tfm/core/log.h"

namespace tfm {

WorkProgress::WorkProgress(std::string work, std::string_view unit, double now)
    : work_(std::move(work)), unit_(unit), begun_(now), logged_at_(now) {}

void WorkProgress::show(std::int64_t count, std::optional<double> share, double now) {
  constexpr double pause = 10;  // seconds between two log messages
  const bool is_due = line_.is_enabled() ? line_.is_due(now) : now - logged_at_ >= pause;
  if (!is_due) return;
  logged_at_ = now;
  const std::string text = work_ + ": " +
                           format_progress({.lines = count,
                                            .new_lines = count,
                                            .seconds = now - begun_,
                                            .share = share,
                                            .unit = unit_});
  if (line_.is_enabled()) {
    line_.show(text);
  } else {
    log_info("{}", text);
  }
}

}  // namespace tfm

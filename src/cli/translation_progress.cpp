#include "translation_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/core/clock.h"
#include "tfm/core/format.h"

namespace tfm {

TranslationProgress::TranslationProgress(const LineReader& input)
    : input_(input), begun_(steady_seconds()) {
  if (std::filesystem::is_regular_file(input.file()))
    size_ = std::filesystem::file_size(input.file());
}

double TranslationProgress::share_done() const {
  return std::min(1.0, static_cast<double>(input_.bytes_read()) /
                           static_cast<double>(std::max<std::uintmax_t>(1, size_.value_or(1))));
}

void TranslationProgress::begin(std::int64_t lines) {
  first_line_ = lines;
  first_share_ = size_ ? share_done() : 0;
  begun_ = steady_seconds();
}

void TranslationProgress::show(std::int64_t lines) {
  const double now = steady_seconds();
  if (!line_.due(now)) return;
  const double seconds = std::max(now - begun_, 1e-9);
  const double speed = static_cast<double>(lines - first_line_) / seconds;
  if (!size_) return line_.show(fmt::format("{} lines, {:.1f} lines/s", lines, speed));
  const double share = share_done();
  const double left = seconds * (1 - share) / std::max(share - first_share_, 1e-9);
  line_.show(fmt::format("{} lines, {:.1f}%, {:.1f} lines/s, {} left", lines, 100 * share, speed,
                         format_duration(left)));
}

}  // namespace tfm

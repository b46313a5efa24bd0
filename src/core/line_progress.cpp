#include "tfm/core/line_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "tfm/core/clock.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

double lines_per_second(const LineCount& count) {
  return static_cast<double>(count.new_lines) / std::max(count.seconds, 1e-9);
}

}  // namespace

ShareRead share_of_file(const LineReader& input) {
  if (!std::filesystem::is_regular_file(input.file())) return nullptr;
  const auto size = std::max<std::uintmax_t>(1, std::filesystem::file_size(input.file()));
  return [&input, size] {
    return std::min(1.0, static_cast<double>(input.bytes_read()) / static_cast<double>(size));
  };
}

std::string format_progress(const LineCount& count) {
  const double speed = lines_per_second(count);
  if (!count.share)
    return fmt::format("{} {}s, {:.1f} {}s/s", count.lines, count.unit, speed, count.unit);
  const double done = *count.share - count.first_share;
  const double left = done > 0 ? count.seconds * (1 - *count.share) / done
                               : std::numeric_limits<double>::infinity();
  return fmt::format("{} {}s, {:.1f}%, {:.1f} {}s/s, {} left", count.lines, count.unit,
                     100 * *count.share, speed, count.unit, format_duration(left));
}

std::string format_total(const LineCount& count) {
  constexpr double tenths_below = 60;  // seconds
  const auto time = count.seconds < tenths_below ? fmt::format("{:.1f} s", count.seconds)
                                                 : format_duration(count.seconds);
  return fmt::format("{} in {}, {:.1f} {}s/s", with_noun(count.new_lines, count.unit), time,
                     lines_per_second(count), count.unit);
}

LineProgress::LineProgress(ShareRead share_read, bool shown)
    : share_read_(std::move(share_read)), begun_(steady_seconds()) {
  if (shown) line_.emplace();
}

void LineProgress::begin(std::int64_t lines) {
  first_line_ = lines;
  share_ = first_share_ = share_read_ ? share_read_() : 0;
  begun_ = steady_seconds();
}

LineCount LineProgress::count(std::int64_t lines, double now) const {
  return {.lines = lines,
          .new_lines = lines - first_line_,
          .seconds = now - begun_,
          .share = share_read_ ? std::optional(share_) : std::nullopt,
          .first_share = first_share_};
}

void LineProgress::show(std::int64_t lines, std::int64_t chunk, double share_of_chunk) {
  if (!line_) return;
  const double now = steady_seconds();
  const double share = share_read_ ? share_read_() : 0;
  if (chunk == 0) share_ = share;
  if (!line_->is_due(now)) return;
  auto shown =
      count(lines + static_cast<std::int64_t>(share_of_chunk * static_cast<double>(chunk)), now);
  if (shown.share) *shown.share += share_of_chunk * (share - share_);
  line_->show(format_progress(shown));
}

void LineProgress::log_total(const char* done, std::int64_t lines) const {
  log_info("{} {}", done, format_total(count(lines, steady_seconds())));
}

}  // namespace tfm

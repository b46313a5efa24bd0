#include "tfm/core/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>

#include "logger.h"
#include "tfm/core/terminal.h"

namespace tfm {
namespace {

constexpr const char* erase = "\r\033[K";

/// The text on the terminal, with a mutex because any thread may log.
struct Shown {
  std::mutex mutex;
  std::string text;
};

Shown& shown() {
  static Shown only;
  return only;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

/// Returns one column less than the terminal has, or 79 if its width is unknown. A line that fills
/// the last column would wrap and could not be erased.
std::size_t usable_columns() {
  const auto columns = terminal_columns(STDERR_FILENO);
  return columns && *columns > 1 ? *columns - 1 : 79;
}

/// Returns the fields of the text that fit into `width` columns. Fields end before two spaces or a
/// comma. If not even the first field fits, returns its beginning.
std::string_view fitting_fields(std::string_view text, std::size_t width) {
  if (text.size() <= width) return text;
  std::size_t end = 0;
  for (const std::string_view separator : {"  ", ", "}) {
    const auto found = text.rfind(separator, width);
    if (found != text.npos) end = std::max(end, found);
  }
  return text.substr(0, end > 0 ? end : width);
}

}  // namespace

ProgressLine::ProgressLine()
    : enabled_(understands_control_sequences(STDERR_FILENO) &&
               logger()->should_log(spdlog::level::info)) {}

ProgressLine::~ProgressLine() {
  if (enabled_) show("");
}

bool ProgressLine::is_due(double now) {
  constexpr double pause = 0.25;  // seconds
  if (!enabled_ || (shown_at_ >= 0 && now - shown_at_ < pause)) return false;
  shown_at_ = now;
  return true;
}

void ProgressLine::show(std::string_view text) {
  if (!enabled_) return;
  const std::lock_guard lock(shown().mutex);
  if (text.empty() && shown().text.empty()) return;
  shown().text = fitting_fields(text, usable_columns());
  print(erase + shown().text);
}

void print_above_progress(const std::function<void()>& print_message) {
  const std::lock_guard lock(shown().mutex);
  if (shown().text.empty()) return print_message();
  print(erase);
  print_message();
  print(shown().text);
}

}  // namespace tfm

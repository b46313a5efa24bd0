#include "tfm/core/progress_line.h"

#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

namespace tfm {
namespace {

constexpr const char* erase = "\r\033[K";

/// The text on the terminal. It has a mutex because any thread may log.
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

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

/// Returns one column less than the terminal has: a line that fills the last column would wrap, and
/// could not be erased.
std::size_t usable_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1u : 79u;
}

}  // namespace

ProgressLine::ProgressLine() : enabled_(is_terminal() && spdlog::should_log(spdlog::level::info)) {}

ProgressLine::~ProgressLine() {
  if (enabled_) show("");
}

bool ProgressLine::due(double now) {
  constexpr double pause = 0.25;  // seconds
  if (!enabled_ || (shown_at_ >= 0 && now - shown_at_ < pause)) return false;
  shown_at_ = now;
  return true;
}

void ProgressLine::show(std::string_view text) {
  if (!enabled_) return;
  const std::lock_guard lock(shown().mutex);
  if (text.empty() && shown().text.empty()) return;
  shown().text = text.substr(0, usable_columns());
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

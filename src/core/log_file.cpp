#include "tfm/core/log_file.h"

#include <fmt/chrono.h>

#include <array>
#include <ctime>
#include <mutex>
#include <utility>

#include "tfm/core/format.h"

namespace tfm {
namespace {

std::mutex& current_mutex() {
  static std::mutex only;
  return only;
}

LogFile* current = nullptr;  // guarded by current_mutex()

char level_letter(LogLevel level) {
  constexpr std::array letters{'D', 'I', 'W', 'E'};
  return letters.at(static_cast<std::size_t>(level));
}

}  // namespace

LogFile::LogFile() {
  const std::lock_guard lock(current_mutex());
  current = this;
}

LogFile::~LogFile() {
  const std::lock_guard lock(current_mutex());
  current = nullptr;
}

void LogFile::open(const std::filesystem::path& file) {
  const std::lock_guard lock(current_mutex());
  file_ = file;
  stream_.open(file, std::ios::app);
  append(recorded_);
  recorded_.clear();
}

void LogFile::append(const std::string& lines) {
  if (failed_) return;
  stream_ << lines << std::flush;
  failed_ = !stream_;
}

void LogFile::write(LogLevel level, std::string_view text) {
  std::tm now{};
  const std::time_t seconds = std::time(nullptr);
  ::localtime_r(&seconds, &now);
  const auto line =
      fmt::format("{} {:%Y-%m-%d %H:%M:%S} {}\n", level_letter(level), now, escape_controls(text));
  file_.empty() ? void(recorded_ += line) : append(line);
}

void write_to_log_file(LogLevel level, std::string_view text) {
  std::string failed;
  {
    const std::lock_guard lock(current_mutex());
    if (current == nullptr) return;
    current->write(level, text);
    if (current->failed_ && !std::exchange(current->warned_, true))
      failed = current->file_.string();
  }
  if (!failed.empty())
    log_warn("{} can't be written: check the free space and the permissions of its folder", failed);
}

}  // namespace tfm

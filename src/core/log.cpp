#include "tfm/core/log.h"

#include <fmt/chrono.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include "logger.h"
#include "tfm/core/format.h"
#include "tfm/core/log_file.h"
#include "tfm/core/progress_line.h"
#include "tfm/core/terminal.h"
#include "tfm/core/wrap.h"

namespace tfm {
namespace {

/// The columns of the level and the time before each message: "I 12:34:56 ".
constexpr std::size_t time_columns = 11;

using ColourSink = spdlog::sinks::stderr_color_sink_mt;

/// Prints log messages above the progress line on the same terminal, wrapped to its width.
class Sink : public ColourSink {
 public:
  void log(const spdlog::details::log_msg& message) override {
    print_above_progress([&] {
      log_new_date(message);
      log_wrapped(message);
      ColourSink::flush();
    });
  }
  void show_dates() { shows_dates_ = true; }
  /// Sets the number of columns that the pattern takes before the message.
  void set_prefix_columns(std::size_t columns) { prefix_columns_ = columns; }

 private:
  /// Prints the message. A terminal would break a long line inside a word.
  void log_wrapped(const spdlog::details::log_msg& message) {
    constexpr std::size_t narrowest = 40;  // a narrower terminal breaks the lines itself
    const auto columns = terminal_columns(STDERR_FILENO);
    if (!columns || *columns < narrowest) return ColourSink::log(message);
    const auto text =
        wrap_message({message.payload.data(), message.payload.size()}, *columns, prefix_columns_);
    auto wrapped = message;
    wrapped.payload = text;
    ColourSink::log(wrapped);
  }

  /// Prints the date of the message if it differs from the date of the previous message.
  void log_new_date(const spdlog::details::log_msg& message) {
    if (!shows_dates_ || !logger()->should_log(spdlog::level::info)) return;
    std::tm local{};
    const auto time = spdlog::log_clock::to_time_t(message.time);
    ::localtime_r(&time, &local);
    auto date = fmt::format("date {:%Y-%m-%d}", local);
    if (date == date_) return;
    date_ = std::move(date);
    auto line = message;
    line.level = spdlog::level::info;
    line.payload = date_;
    ColourSink::log(line);
  }

  bool shows_dates_ = false;
  std::string date_;
  std::size_t prefix_columns_ = time_columns;
};

/// Calls the function for the sink that set_up_log created, if there is one.
template <class Function>
void with_sink(Function function) {
  for (const auto& each : logger()->sinks()) {
    if (auto* sink = dynamic_cast<Sink*>(each.get())) function(*sink);
  }
}

std::shared_ptr<spdlog::logger> make_logger(Verbosity verbosity) {
  auto sink = std::make_shared<Sink>();
  if (!allows_color(STDERR_FILENO)) sink->set_color_mode(spdlog::color_mode::never);
  auto made = std::make_shared<spdlog::logger>("tfm", std::move(sink));
  made->set_pattern("%^%L%$ %H:%M:%S %v");
  made->set_level(verbosity == Verbosity::quiet     ? spdlog::level::warn
                  : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                    : spdlog::level::info);
  made->flush_on(spdlog::level::info);
  return made;
}

}  // namespace

std::shared_ptr<spdlog::logger>& logger() {
  static std::shared_ptr<spdlog::logger> current = make_logger(Verbosity::quiet);
  return current;
}

void set_up_log(Verbosity verbosity) { logger() = make_logger(verbosity); }

void set_log_rank(int rank) {
  const auto& current = logger();
  const auto name = fmt::format("rank {}: ", rank);
  current->set_pattern("%^%L%$ %H:%M:%S " + name + "%v");
  with_sink([&](Sink& sink) { sink.set_prefix_columns(time_columns + name.size()); });
  if (rank > 0) current->set_level(std::max(current->level(), spdlog::level::warn));
}

void show_log_dates() {
  with_sink([](Sink& sink) { sink.show_dates(); });
}

void log_for_file(std::string_view text) {
  auto& current = *logger();
  if (current.should_log(spdlog::level::debug))
    current.log(spdlog::level::info, escape_controls(text));
  write_to_log_file(LogLevel::info, text);
}

bool shows_log(LogLevel level) { return logger()->should_log(spdlog_level(level)); }

void write_log(LogLevel level, fmt::string_view format, fmt::format_args values) {
  auto& current = *logger();
  const auto internal = spdlog_level(level);
  const bool is_shown = current.should_log(internal);
  if (!is_shown && level == LogLevel::debug) return;
  const auto text = fmt::vformat(format, values);
  if (is_shown) current.log(internal, escape_controls(text));
  write_to_log_file(level, text);
}

}  // namespace tfm

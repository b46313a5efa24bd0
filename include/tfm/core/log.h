// The one log: to stderr, so that stdout carries results only. Messages are formatted by fmt:
//
//   log_warn("{} of {} lines are empty", empty, lines);
//
// Only the command line calls set_up_log.
#pragma once

#include <fmt/format.h>

namespace tfm {

enum class Verbosity { quiet, normal, verbose };

/// Sends every message to stderr: plain text, or coloured if allows_color() (terminal.h) permits
/// it. quiet keeps warnings and errors, verbose adds debug messages.
void set_up_log(Verbosity verbosity);

/// For one of several processes that share a terminal: its lines name its rank, and other ranks
/// than 0 say warnings and errors only.
void set_log_rank(int rank);

enum class LogLevel { debug, info, warn, error };

/// What the functions below call.
void write_log(LogLevel level, fmt::string_view format, fmt::format_args values);

template <class... Values>
void log_debug(fmt::format_string<Values...> format, Values&&... values) {
  write_log(LogLevel::debug, format, fmt::make_format_args(values...));
}

template <class... Values>
void log_info(fmt::format_string<Values...> format, Values&&... values) {
  write_log(LogLevel::info, format, fmt::make_format_args(values...));
}

template <class... Values>
void log_warn(fmt::format_string<Values...> format, Values&&... values) {
  write_log(LogLevel::warn, format, fmt::make_format_args(values...));
}

template <class... Values>
void log_error(fmt::format_string<Values...> format, Values&&... values) {
  write_log(LogLevel::error, format, fmt::make_format_args(values...));
}

}  // namespace tfm

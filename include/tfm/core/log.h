// Writes the log to stderr, so that stdout has only results. Messages are formatted by fmt:
//
//   log_warn("{} of {} lines are empty", empty, lines);
//
// Only the command line calls set_up_log; other programs call set_log_sink (log_sink.h).
#pragma once

#include <fmt/format.h>

#include "tfm/core/log_sink.h"

namespace tfm {

enum class Verbosity { quiet, normal, verbose };

/// Sends messages to stderr, wrapped to the width of a terminal and coloured if allows_color()
/// (terminal.h) permits it. `quiet` keeps only warnings and errors; `verbose` adds debug messages.
void set_up_log(Verbosity verbosity);

/// Prefixes log lines with the rank, for processes that share a terminal. Ranks other than 0 then
/// log only warnings and errors.
void set_log_rank(int rank);

/// Makes the log print the date on a separate line before the first message of each day, because
/// messages show only the time.
void show_log_dates();

/// Formats a message and writes it to the terminal and to the log file (log_file.h). The functions
/// below call it.
void write_log(LogLevel level, fmt::string_view format, fmt::format_args values);

/// Returns whether the log shows messages of this level.
bool shows_log(LogLevel level);

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

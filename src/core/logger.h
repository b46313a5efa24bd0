// The logger that write_log writes to. It is tfm's own: a program that uses tfm as a library may
// use spdlog, too, and keeps its default logger.
#pragma once

#include <spdlog/logger.h>

#include <memory>

#include "tfm/core/log_sink.h"

namespace tfm {

/// Returns the logger, which may be replaced before other threads log. Until set_up_log or
/// set_log_sink is called, it prints warnings and errors to stderr.
std::shared_ptr<spdlog::logger>& logger();

inline spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warn:
      return spdlog::level::warn;
    case LogLevel::error:
      break;
  }
  return spdlog::level::err;
}

inline LogLevel tfm_level(spdlog::level::level_enum level) {
  if (level <= spdlog::level::debug) return LogLevel::debug;
  if (level == spdlog::level::info) return LogLevel::info;
  return level == spdlog::level::warn ? LogLevel::warn : LogLevel::error;
}

}  // namespace tfm

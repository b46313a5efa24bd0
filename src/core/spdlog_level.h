// The levels of the log as spdlog names them.
#pragma once

#include <spdlog/common.h>

#include "tfm/core/log_sink.h"

namespace tfm {

/// The name of tfm's logger. spdlog's own, which exists from the start, has no name.
inline constexpr const char* log_name = "tfm";

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

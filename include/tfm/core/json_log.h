// The log as JSON, for programs that collect and search logs: each message is an object on a line
// of its own, with its time (UTC), level and message. A message may have fields besides these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tfm/core/log_sink.h"

namespace tfm {

/// Writes later messages to stderr as JSON, from the level on that the log has now.
void use_json_log();

/// Names and values.
using LogFields =
    std::vector<std::pair<std::string_view, std::variant<std::string_view, std::int64_t, double>>>;

/// Logs a message. Its fields are part of the JSON; otherwise, only the message is written, which
/// therefore says the same.
void log_with_fields(LogLevel level, std::string_view message, const LogFields& fields);

}  // namespace tfm

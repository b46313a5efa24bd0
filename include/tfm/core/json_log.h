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

/// Writes later messages to stderr as JSON. The lowest level that is shown stays as it is.
void use_json_log();

/// Names and values.
using LogFields =
    std::vector<std::pair<std::string_view, std::variant<std::string_view, std::int64_t, double>>>;

/// Logs a message. The JSON log also has the fields. Other logs have only the message, which must
/// therefore contain the values.
void log_with_fields(LogLevel level, std::string_view message, const LogFields& fields);

}  // namespace tfm

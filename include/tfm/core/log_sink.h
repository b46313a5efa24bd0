// Where the log of a program goes that uses tfm as a library. Without a sink, warnings and errors
// go to stderr. This header includes no other library.
#pragma once

#include <functional>
#include <string_view>

namespace tfm {

enum class LogLevel { debug, info, warn, error };

/// Receives a message, without a line feed at its end. It is called by one thread at a time, and
/// must not call functions of tfm, which may log.
using LogSink = std::function<void(LogLevel level, std::string_view message)>;

/// Passes messages of this level and above to the sink, and none to stderr. An empty sink discards
/// them. Call it before other threads use tfm.
void set_log_sink(LogSink sink, LogLevel lowest = LogLevel::info);

}  // namespace tfm

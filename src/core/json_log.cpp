#include "tfm/core/json_log.h"

#include <fmt/chrono.h>
#include <spdlog/sinks/base_sink.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "logger.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"
#include "tfm/core/progress_line.h"

namespace tfm {
namespace {

using Json = nlohmann::ordered_json;

const char* level_name(spdlog::level::level_enum level) {
  switch (tfm_level(level)) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warn:
      return "warning";
    case LogLevel::error:
      break;
  }
  return "error";
}

/// Returns "2026-01-31T12:34:56.789Z".
std::string to_utc(spdlog::log_clock::time_point time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(time - seconds).count();
  std::tm utc{};
  const auto since_epoch = spdlog::log_clock::to_time_t(seconds);
  ::gmtime_r(&since_epoch, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", utc, milliseconds);
}

class JsonSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void write(const spdlog::details::log_msg& message, const LogFields& fields) {
    Json object = {{"time", to_utc(message.time)},
                   {"level", level_name(message.level)},
                   {"message", std::string(message.payload.data(), message.payload.size())}};
    for (const auto& [name, value] : fields)
      std::visit([&, key = std::string(name)](const auto& shown) { object[key] = shown; }, value);
    const auto line = object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    // One call, so that lines of several processes are not mixed.
    print_above_progress([&] { std::fwrite(line.data(), 1, line.size(), stderr); });
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override { write(message, {}); }
  void flush_() override { std::fflush(stderr); }
};

}  // namespace

void use_json_log() {
  auto made = std::make_shared<spdlog::logger>("tfm", std::make_shared<JsonSink>());
  made->set_level(logger()->level());
  logger() = made;
}

void log_with_fields(LogLevel level, std::string_view message, const LogFields& fields) {
  if (!shows_log(level)) return;
  for (const auto& each : logger()->sinks()) {
    if (auto* sink = dynamic_cast<JsonSink*>(each.get())) {
      const auto text = escape_controls(message);
      return sink->write({"tfm", spdlog_level(level), {text.data(), text.size()}}, fields);
    }
  }
  write_log(level, "{}", fmt::make_format_args(message));
}

}  // namespace tfm

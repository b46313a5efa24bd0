#include "tfm/core/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "tfm/core/format.h"
#include "tfm/core/progress_line.h"
#include "tfm/core/terminal.h"

namespace tfm {
namespace {

using ColourSink = spdlog::sinks::stderr_color_sink_mt;

/// Prints log messages above the progress line on the same terminal.
class Sink : public ColourSink {
 public:
  void log(const spdlog::details::log_msg& message) override {
    print_above_progress([&] {
      ColourSink::log(message);
      ColourSink::flush();
    });
  }
};

spdlog::level::level_enum spdlog_level(LogLevel level) {
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

}  // namespace

void set_up_log(Verbosity verbosity) {
  auto sink = std::make_shared<Sink>();
  if (!allows_color(STDERR_FILENO)) sink->set_color_mode(spdlog::color_mode::never);
  auto logger = std::make_shared<spdlog::logger>("tfm", std::move(sink));
  logger->set_pattern("%^%L%$ %H:%M:%S %v");
  logger->set_level(verbosity == Verbosity::quiet     ? spdlog::level::warn
                    : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                      : spdlog::level::info);
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void set_log_rank(int rank) {
  const auto& logger = spdlog::default_logger();
  logger->set_pattern(fmt::format("%^%L%$ %H:%M:%S rank {}: %v", rank));
  if (rank > 0) logger->set_level(std::max(logger->level(), spdlog::level::warn));
}

void write_log(LogLevel level, fmt::string_view format, fmt::format_args values) {
  auto* logger = spdlog::default_logger_raw();
  const auto internal = spdlog_level(level);
  if (logger->should_log(internal))
    logger->log(internal, escape_controls(fmt::vformat(format, values)));
}

}  // namespace tfm

#include "tfm/core/log_sink.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <mutex>
#include <utility>

#include "spdlog_level.h"

namespace tfm {
namespace {

class CallingSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit CallingSink(LogSink sink) : sink_(std::move(sink)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (sink_) sink_(tfm_level(message.level), {message.payload.data(), message.payload.size()});
  }
  void flush_() override {}

 private:
  LogSink sink_;
};

}  // namespace

void set_log_sink(LogSink sink, LogLevel lowest) {
  auto logger =
      std::make_shared<spdlog::logger>(log_name, std::make_shared<CallingSink>(std::move(sink)));
  logger->set_level(spdlog_level(lowest));
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace tfm

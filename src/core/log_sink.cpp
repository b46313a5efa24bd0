#include "tfm/core/log_sink.h"

#include <spdlog/sinks/base_sink.h>

#include <memory>
#include <mutex>
#include <utility>

#include "logger.h"

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
  logger() =
      std::make_shared<spdlog::logger>("tfm", std::make_shared<CallingSink>(std::move(sink)));
  logger()->set_level(spdlog_level(lowest));
}

}  // namespace tfm

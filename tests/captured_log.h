// Captures the log during the lifetime of a CapturedLog, and calls a listener after each line.
// Several threads may log at once, but not while a test reads text().
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/logger.h"
#include "tfm/core/log.h"

namespace tfm {

class CapturedLog {
 public:
  using Listener = std::function<void(const std::string& line)>;

  explicit CapturedLog(Listener listener = {})
      : previous_(logger()), sink_(std::make_shared<Sink>(std::move(listener))) {
    logger() = std::make_shared<spdlog::logger>("test", sink_);
  }
  ~CapturedLog() { logger() = previous_; }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;

  const std::string& text() const { return sink_->text; }

 private:
  struct Sink : spdlog::sinks::base_sink<std::mutex> {
    explicit Sink(Listener listener) : listener_(std::move(listener)) {}
    void sink_it_(const spdlog::details::log_msg& message) override {
      const std::string line(message.payload.data(), message.payload.size());
      text += line + "\n";
      if (listener_) listener_(line);
    }
    void flush_() override {}
    std::string text;
    Listener listener_;
  };

  std::shared_ptr<spdlog::logger> previous_;
  std::shared_ptr<Sink> sink_;
};

}  // namespace tfm

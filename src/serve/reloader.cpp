#include "tfm/serve/reloader.h"

#include <exception>

#include "tfm/core/log.h"

namespace tfm {

Reloader::Reloader(std::function<void()> reload)
    : reload_(std::move(reload)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

Reloader::~Reloader() = default;

void Reloader::request() {
  const std::lock_guard lock(mutex_);
  is_requested_ = true;
  changed_.notify_one();
}

void Reloader::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return is_requested_; })) {
    is_requested_ = false;
    lock.unlock();
    try {
      reload_();
    } catch (const std::exception& error) {
      log_error("nothing was reloaded, and everything stays as it was: {}", error.what());
    }
    lock.lock();
  }
}

}  // namespace tfm

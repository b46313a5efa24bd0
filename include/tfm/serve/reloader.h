// Runs a function in a thread of its own whenever that is requested, such as the loading of changed
// models while a service answers with the present ones.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tfm {

class Reloader {
 public:
  /// `reload` may throw: the log then says that everything stays as it was.
  explicit Reloader(std::function<void()> reload);
  /// Waits for the end of a reload.
  ~Reloader();

  /// Requests a reload, and returns at once. Requests that arrive during a reload are answered by
  /// one more.
  void request();

 private:
  void run(const std::stop_token& stop);

  const std::function<void()> reload_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool is_requested_ = false;
  std::jthread thread_;  // the last member, because it uses the others
};

}  // namespace tfm

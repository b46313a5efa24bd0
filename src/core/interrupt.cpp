#include "tfm/core/interrupt.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include "tfm/core/error.h"

namespace tfm {
namespace {

// Set by signal handlers, which may only use lock-free atomics, and read on any thread.
std::atomic<bool> requested = false;
std::atomic<std::time_t> requested_at = 0;
std::atomic<bool> reload_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);
static_assert(std::atomic<std::time_t>::is_always_lock_free);

/// Records the request. A single request often arrives as two signals, because `timeout` and job
/// schedulers signal both the process and its group. Only a signal at least two seconds after the
/// first kills the process.
void on_signal(int signal) {
  constexpr std::time_t same_request = 2;  // seconds
  const std::time_t now = std::time(nullptr);
  if (requested && now - requested_at >= same_request) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  if (!requested) requested_at = now;
  requested = true;
}

/// Records the request. Never kills the process, because each message to a closed pipe raises the
/// signal again.
void on_broken_pipe(int /*signal*/) {
  if (!requested) requested_at = std::time(nullptr);
  requested = true;
}

void on_reload(int /*signal*/) { reload_requested = true; }

}  // namespace

bool is_ignored(int signal) {
  struct sigaction now{};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

void install_signal_handlers() {
  requested = false;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (!is_ignored(SIGHUP)) std::signal(SIGHUP, on_signal);  // under nohup, SIGHUP stays ignored
}

void install_broken_pipe_handler() {
  if (!is_ignored(SIGPIPE)) std::signal(SIGPIPE, on_broken_pipe);
}

void ignore_broken_pipe() { std::signal(SIGPIPE, SIG_IGN); }

void install_reload_handler() { std::signal(SIGHUP, on_reload); }

bool take_reload_request() { return reload_requested.exchange(false); }

bool interrupt_requested() { return requested; }

void throw_if_interrupted(const char* work) {
  if (interrupt_requested()) throw Interrupted(fmt::format("interrupted during {}", work));
}

void clear_interrupt() { requested = false; }

}  // namespace tfm

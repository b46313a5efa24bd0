#include "tfm/core/interrupt.h"

#include <fmt/format.h>

#include <csignal>
#include <ctime>

#include "tfm/core/error.h"

namespace tfm {
namespace {

volatile std::sig_atomic_t requested = 0;
volatile std::time_t requested_at = 0;
volatile std::sig_atomic_t reload_requested = 0;

/// Records the request. A single request often arrives as two signals, because `timeout` and job
/// schedulers signal both the process and its group. Only a signal at least two seconds after the
/// first kills the process.
void on_signal(int signal) {
  constexpr std::time_t same_request = 2;  // seconds
  const std::time_t now = std::time(nullptr);
  if (requested != 0 && now - requested_at >= same_request) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  if (requested == 0) requested_at = now;
  requested = 1;
}

/// Records the request. Never kills the process, because each message to a closed pipe raises the
/// signal again.
void on_broken_pipe(int /*signal*/) {
  if (requested == 0) requested_at = std::time(nullptr);
  requested = 1;
}

void on_reload(int /*signal*/) { reload_requested = 1; }

}  // namespace

bool is_ignored(int signal) {
  struct sigaction now{};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

void install_signal_handlers() {
  requested = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (!is_ignored(SIGHUP)) std::signal(SIGHUP, on_signal);  // under nohup, SIGHUP stays ignored
}

void install_broken_pipe_handler() {
  if (!is_ignored(SIGPIPE)) std::signal(SIGPIPE, on_broken_pipe);
}

void ignore_broken_pipe() { std::signal(SIGPIPE, SIG_IGN); }

void install_reload_handler() { std::signal(SIGHUP, on_reload); }

bool take_reload_request() {
  if (reload_requested == 0) return false;
  reload_requested = 0;
  return true;
}

bool interrupt_requested() { return requested != 0; }

void throw_if_interrupted(const char* work) {
  if (interrupt_requested()) throw Interrupted(fmt::format("interrupted during {}", work));
}

void clear_interrupt() { requested = 0; }

}  // namespace tfm

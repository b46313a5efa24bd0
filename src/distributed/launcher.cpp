#include "tfm/distributed/launcher.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include "local_address.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/distributed/rank_environment.h"

namespace tfm {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int interrupted_code = 130;
constexpr int not_started = 127;

std::vector<std::string> rank_variables(int rank, int ranks, std::uint16_t port) {
  const std::array<std::pair<std::string, std::string>, 7> own = {
      {{launched_variable, "1"},
       {"RANK", std::to_string(rank)},
       {"LOCAL_RANK", std::to_string(rank)},
       {"WORLD_SIZE", std::to_string(ranks)},
       {"LOCAL_WORLD_SIZE", std::to_string(ranks)},
       {"MASTER_ADDR", "127.0.0.1"},
       {"MASTER_PORT", std::to_string(port)}}};
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const auto name = text.substr(0, text.find('='));
    bool replaced = name.starts_with("TORCHELASTIC_");
    for (const auto& [key, value] : own) replaced = replaced || name == key;
    if (!replaced) variables.emplace_back(text);
  }
  for (const auto& [key, value] : own) variables.push_back(key + "=" + value);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> found;
  found.reserve(texts.size() + 1);
  for (auto& text : texts) found.push_back(text.data());
  found.push_back(nullptr);
  return found;
}

/// Returns the signals that the launcher waits for. SIGHUP is excluded if it is ignored, as under
/// nohup, because sigtimedwait() returns a blocked signal even if it is ignored.
std::vector<int> awaited_signals() {
  std::vector signals{SIGCHLD, SIGINT, SIGTERM};
  if (!is_ignored(SIGHUP)) signals.push_back(SIGHUP);
  return signals;
}

sigset_t signal_set(const std::vector<int>& signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

// A signal handler of any thread reads it.
std::atomic<pthread_t> launching_thread;
static_assert(std::atomic<pthread_t>::is_always_lock_free);

void redirect_signal(int signal) { pthread_kill(launching_thread, signal); }

/// While it exists, blocks the awaited signals in the thread that created it. If the kernel
/// delivers such a signal to another thread, such as one of a library's thread pool, the signal
/// handler redirects it to the creating thread.
class SignalMask {
 public:
  SignalMask() {
    launching_thread = pthread_self();
    const auto signals = awaited_signals();
    const auto set = signal_set(signals);
    sigprocmask(SIG_BLOCK, &set, &previous_mask_);
    struct sigaction action{};
    action.sa_handler = redirect_signal;
    action.sa_flags = SA_RESTART;
    for (const int signal : signals) sigaction(signal, &action, &previous_handlers_[signal]);
  }
  ~SignalMask() { undo(); }
  SignalMask(const SignalMask&) = delete;
  SignalMask& operator=(const SignalMask&) = delete;

  /// Restores the previous signal handling. May be called between fork and exec.
  void undo() const {
    for (const auto& [signal, action] : previous_handlers_) sigaction(signal, &action, nullptr);
    sigprocmask(SIG_SETMASK, &previous_mask_, nullptr);
  }

 private:
  sigset_t previous_mask_{};
  std::map<int, struct sigaction> previous_handlers_;
};

struct Rank {
  pid_t process = -1;
  std::optional<int> status;  // the status of waitpid; set when the process has ended
};

int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string describe(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was terminated by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  if (exit_code(status) == lost_contact_code) return "lost contact with another rank";
  return fmt::format("failed with exit code {}", WEXITSTATUS(status));
}

class Ranks {
 public:
  Ranks(const LaunchRequest& request, const SignalMask& mask) : request_(request) {
    const auto port = free_port();
    for (int rank = 0; rank < request.ranks; ++rank) {
      ranks_.push_back({start(rank_variables(rank, request.ranks, port), mask), std::nullopt});
    }
  }

  int watch() {
    const auto signals = signal_set(awaited_signals());
    while (running() > 0) {
      // the timeout is needed only for the deadlines, because all other events are signals
      constexpr timespec tick{0, 200'000'000};
      const int signal = sigtimedwait(&signals, nullptr, &tick);
      if (signal > 0 && signal != SIGCHLD) forward_signal(signal);
      collect();
      if (Clock::now() >= deadline_) send(SIGKILL);
    }
    return code_;
  }

 private:
  /// Starts a rank and returns its process ID. Between fork and execve, the code only makes calls
  /// that are safe after a fork.
  pid_t start(std::vector<std::string> environment, const SignalMask& mask) const {
    auto command = request_.command;
    const auto arguments = pointers(command);
    const auto variables = pointers(environment);
    const pid_t process = fork();
    if (process < 0)
      throw ConfigError("--nproc",
                        std::string("a process can't be started: ") + std::strerror(errno),
                        "Start fewer processes.");
    if (process > 0) return process;
    // if the launcher is killed, its ranks receive SIGTERM, save a checkpoint and end
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    mask.undo();
    execve(arguments[0], arguments.data(), variables.data());
    _exit(not_started);
  }

  int running() const {
    int count = 0;
    for (const auto& rank : ranks_) count += rank.status ? 0 : 1;
    return count;
  }

  void send(int signal) const {
    for (const auto& rank : ranks_) {
      if (!rank.status) kill(rank.process, signal);
    }
  }

  void forward_signal(int signal) const {
    log_info("forwarding signal {} to {} ranks", signal, running());
    send(signal == SIGHUP ? SIGTERM : signal);  // ranks save a checkpoint on SIGTERM
  }

  /// Collects the exit statuses, and handles the first failure.
  void collect() {
    for (auto& rank : ranks_) {
      int status = 0;
      if (!rank.status && waitpid(rank.process, &status, WNOHANG) == rank.process)
        rank.status = status;
    }
    const auto cause = find_cause();
    if (!cause || code_ != 0) return;
    if (exit_code(ranks_[*cause].status.value()) == lost_contact_code && running() > 0) {
      // The rank that caused the loss of contact is probably about to end.
      constexpr auto patience = std::chrono::seconds(1);
      name_cause_at_ = std::min(name_cause_at_, Clock::now() + patience);
      if (Clock::now() < name_cause_at_) return;
    }
    fail(*cause);
  }

  /// Returns the failed rank that explains the failure best: a rank that a signal terminated, or
  /// else one that failed by itself, or else one that lost contact. Returns nullopt if no rank has
  /// failed.
  std::optional<std::size_t> find_cause() const {
    const auto weight = [](const Rank& rank) {
      const int status = rank.status.value_or(0);
      if (WIFSIGNALED(status)) return 3;
      return exit_code(status) == 0 ? 0 : exit_code(status) == lost_contact_code ? 1 : 2;
    };
    const auto cause = std::ranges::max_element(ranks_, {}, weight);
    if (cause == ranks_.end() || weight(*cause) == 0) return std::nullopt;
    return static_cast<std::size_t>(cause - ranks_.begin());
  }

  void fail(std::size_t rank) {
    const int status = ranks_[rank].status.value();
    code_ = exit_code(status);
    deadline_ = Clock::now() + request_.grace;
    if (code_ == interrupted_code) return;  // after an interruption, all ranks stop together
    const int others = running();
    log_error("rank {} {}{}", rank, describe(status),
              others > 0 ? fmt::format("; stopping the other {}", others) : "");
    send(SIGTERM);
  }

  const LaunchRequest& request_;
  std::vector<Rank> ranks_;
  // the time at which the other ranks receive SIGKILL; set when a rank fails
  Clock::time_point deadline_ = Clock::time_point::max();
  // the time at which a lost contact is reported as the cause, unless a rank fails with another
  // error before that time; set when a rank has lost contact
  Clock::time_point name_cause_at_ = Clock::time_point::max();
  int code_ = 0;
};

}  // namespace

int launch(const LaunchRequest& request) {
  if (request.command.empty() || access(request.command.front().c_str(), X_OK) != 0) {
    throw ConfigError(request.command.empty() ? "" : request.command.front(),
                      "is not an executable program", "Name a program by its path.");
  }
  const SignalMask mask;
  Ranks ranks(request, mask);
  log_info("{} ranks started", request.ranks);
  return ranks.watch();
}

}  // namespace tfm

#include "tfm/tensor/spin_limiter.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace tfm {
namespace {

// With two threads on two quiet CPUs, 0.03 threads wait on average, and 0.2 in some periods. With
// a busy loop beside them, 0.5 to 1 wait, whether spinning is limited or not.
constexpr double scarce_from = 0.3;
constexpr double free_below = 0.15;
constexpr int free_periods_needed = 10;

/// OpenMP threads that only exist. Their number is one more than libgomp needs to see more threads
/// than CPUs, next to the `threads` of this process.
class IdleTeam {
 public:
  explicit IdleTeam(int threads) {
    const auto cpus = static_cast<int>(std::thread::hardware_concurrency());
    const int size = std::max(2, cpus - threads + 2);
    // libgomp counts the threads of a team until the thread that started the team ends.
    thread_ = std::jthread([this, size] {
#pragma omp parallel num_threads(size)
      ended_.wait(false);
    });
  }
  ~IdleTeam() {
    ended_ = true;
    ended_.notify_all();
  }
  IdleTeam(const IdleTeam&) = delete;
  IdleTeam& operator=(const IdleTeam&) = delete;

 private:
  std::atomic<bool> ended_ = false;
  std::jthread thread_;
};

}  // namespace

SpinLimit next_spin_limit(SpinLimit before, double waiting_threads) {
  if (waiting_threads >= scarce_from) return {.limited = true};
  if (!before.limited || waiting_threads >= free_below) return {.limited = before.limited};
  if (before.free_periods + 1 >= free_periods_needed) return {};
  return {.limited = true, .free_periods = before.free_periods + 1};
}

// Only the other library has this function.
bool uses_libgomp() { return ::dlsym(RTLD_DEFAULT, "kmp_set_blocktime") == nullptr; }

class SpinLimiter::Watcher {
 public:
  Watcher(int threads, std::function<std::optional<CpuTime>()> cpu_time,
          std::chrono::milliseconds period)
      : threads_(threads),
        cpu_time_(std::move(cpu_time)),
        period_(period),
        thread_([this](const std::stop_token& stop) { watch(stop); }) {}

 private:
  void watch(const std::stop_token& stop) {
    using Seconds = std::chrono::duration<double>;
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any stopped;
    std::optional<IdleTeam> team;
    SpinLimit limit;
    auto time = std::chrono::steady_clock::now();
    auto sum = cpu_time_();
    while (sum && !stopped.wait_for(lock, stop, period_, [&] { return stop.stop_requested(); })) {
      const auto now = std::chrono::steady_clock::now();
      const auto current = cpu_time_();
      if (!current) return;
      limit =
          next_spin_limit(limit, Seconds(current->waiting - sum->waiting) / Seconds(now - time));
      if (!limit.limited) team.reset();
      if (limit.limited && !team) team.emplace(threads_);
      time = now;
      sum = current;
    }
  }

  int threads_;
  std::function<std::optional<CpuTime>()> cpu_time_;
  std::chrono::milliseconds period_;
  std::jthread thread_;  // last, because the thread uses the other members
};

SpinLimiter::SpinLimiter(int threads, std::function<std::optional<CpuTime>()> cpu_time,
                         std::chrono::milliseconds period) {
  if (threads > 1 && uses_libgomp())
    watcher_ = std::make_unique<Watcher>(threads, std::move(cpu_time), period);
}

SpinLimiter::~SpinLimiter() = default;

}  // namespace tfm

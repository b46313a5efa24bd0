// Keeps waiting OpenMP threads from taking CPUs away from the threads that they wait for. At the
// end of a parallel loop, the threads of libgomp spin for milliseconds. That is fast on a quiet
// machine. If another program runs, too, the last thread of the loop may have no CPU while the
// others spin on theirs: one busy loop on a machine with two CPUs takes three quarters of the speed
// of training. libgomp spins for microseconds only while more OpenMP threads exist than CPUs
// (GOMP_SPINCOUNT in its manual). A SpinLimiter therefore starts idle OpenMP threads while the
// threads of this process wait for CPUs. The OpenMP library of Clang and Intel, which takes the
// place of libgomp if Clang compiled tfm, is left alone: it does not count threads.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "tfm/core/cpu.h"

namespace tfm {

/// Whether spinning is limited, and for how many periods in a row the CPUs have been free.
struct SpinLimit {
  bool limited = false;
  int free_periods = 0;
};

/// Returns the limit after a period. waiting_threads is the average number of threads of this
/// process that were ready to run but had no CPU.
SpinLimit next_spin_limit(SpinLimit before, double waiting_threads);

/// Returns true if the OpenMP library of this process is libgomp.
bool uses_libgomp();

/// While it exists, limits the spinning of OpenMP threads whenever CPUs are scarce. Does nothing if
/// this process uses one thread or another library than libgomp, or if the system does not report
/// how long threads wait.
class SpinLimiter {
 public:
  /// Samples the CPU time once per period.
  explicit SpinLimiter(int threads,
                       std::function<std::optional<CpuTime>()> cpu_time = process_cpu_time,
                       std::chrono::milliseconds period = std::chrono::milliseconds(200));
  ~SpinLimiter();
  SpinLimiter(const SpinLimiter&) = delete;
  SpinLimiter& operator=(const SpinLimiter&) = delete;

 private:
  class Watcher;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace tfm

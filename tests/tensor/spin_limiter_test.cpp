#include "tfm/tensor/spin_limiter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "thread_total.h"

namespace tfm {
namespace {

using std::chrono::milliseconds;

TEST(NextSpinLimit, LimitsAtOnceIfThreadsWait) {
  EXPECT_FALSE(next_spin_limit({}, 0.0).limited);
  EXPECT_FALSE(next_spin_limit({}, 0.25).limited);
  EXPECT_TRUE(next_spin_limit({}, 0.3).limited);
  EXPECT_TRUE(next_spin_limit({}, 5.0).limited);
}

TEST(NextSpinLimit, EndsAfterTenFreePeriodsInARow) {
  SpinLimit limit{.limited = true};
  for (int period = 1; period < 10; ++period) {
    limit = next_spin_limit(limit, 0.1);
    EXPECT_TRUE(limit.limited) << period;
  }
  EXPECT_FALSE(next_spin_limit(limit, 0.1).limited);
  limit = next_spin_limit(limit, 0.2);  // neither scarce nor free
  EXPECT_TRUE(limit.limited);
  EXPECT_TRUE(next_spin_limit(limit, 0.1).limited) << "the ten periods begin again";
}

/// CPU time of a process of which `waiting` threads wait, made up.
struct Clock {
  std::shared_ptr<std::atomic<double>> waiting = std::make_shared<std::atomic<double>>(0);
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::shared_ptr<CpuTime> sum = std::make_shared<CpuTime>();

  std::optional<CpuTime> operator()() {
    const auto now = std::chrono::steady_clock::now();
    sum->waiting += std::chrono::nanoseconds(
        static_cast<long long>(*waiting * static_cast<double>((now - begin).count())));
    begin = now;
    return *sum;
  }
};

void wait_until(const std::function<bool()>& reached) {
  while (!reached()) std::this_thread::sleep_for(milliseconds(1));
}

TEST(SpinLimiter, StartsIdleThreadsWhileThreadsWaitForCpus) {
  if (!process_cpu_time()) GTEST_SKIP() << "this system does not report the times of threads";
  if (!uses_libgomp()) GTEST_SKIP() << "another OpenMP is left alone";
  const Clock clock;
  const auto before = thread_total();
  {
    const SpinLimiter limiter(2, clock, milliseconds(2));
    EXPECT_EQ(thread_total(), before + 1) << "the thread that watches";
    *clock.waiting = 1;
    wait_until([&] { return thread_total() >= before + 3; });
    *clock.waiting = 0;
    wait_until([&] { return thread_total() == before + 1; });
    *clock.waiting = 1;
    wait_until([&] { return thread_total() >= before + 3; });
  }
  // A thread that has been joined may stay in /proc for a moment.
  wait_until([&] { return thread_total() == before; });
}

TEST(SpinLimiter, DoesNothingWithOneThread) {
  const auto before = thread_total();
  const SpinLimiter limiter(1);
  EXPECT_EQ(thread_total(), before);
}

}  // namespace
}  // namespace tfm

#include "tfm/tensor/runtime.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "tfm/tensor/spin_limiter.h"
#include "thread_total.h"

namespace tfm {
namespace {

TEST(Runtime, RunsParallelLoopsOnAllThreads) {
  const int before = torch::get_num_threads();
  set_threads(2);
  std::array<std::thread::id, 2> ran_on;
  at::parallel_for(0, 2, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      ran_on.at(static_cast<std::size_t>(i)) = std::this_thread::get_id();
  });
  EXPECT_NE(ran_on[0], ran_on[1]);
  set_threads(before);
}

TEST(Runtime, LoadsOnlyOneOpenMpLibrary) {
  std::set<std::string> libraries;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto path = line.find('/');
    if (path != std::string::npos && line.find("omp", line.rfind('/')) != std::string::npos)
      libraries.insert(line.substr(path));
  }
  std::erase_if(libraries, [](const std::string& path) {
    return path.find("libgomp") == path.npos && path.find("libiomp") == path.npos;
  });
  EXPECT_LE(libraries.size(), 1U) << testing::PrintToString(libraries);
}

TEST(Runtime, EndsWaitingThreadsWhichTheNextLoopReplaces) {
  if (!uses_libgomp()) GTEST_SKIP() << "only libgomp's threads are certain to end";
  const ThreadCountGuard three(3);
  std::atomic<int> calls = 0;
  const auto loop = [&] { at::parallel_for(0, 3, 1, [&](int64_t, int64_t) { ++calls; }); };
  loop();
  EXPECT_EQ(calls, 3);
  const auto with_team = thread_total();
  end_waiting_threads();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (thread_total() > with_team - 2 && std::chrono::steady_clock::now() < until)
    std::this_thread::yield();
  EXPECT_EQ(thread_total(), with_team - 2);
  end_waiting_threads();
  loop();
  EXPECT_EQ(calls, 6);
}

}  // namespace
}  // namespace tfm

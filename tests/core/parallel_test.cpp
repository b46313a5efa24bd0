#include "tfm/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace tfm {
namespace {

TEST(ParallelFor, VisitsEveryItemOnceForAnyNumberOfThreads) {
  for (const std::size_t count : {0, 1, 2, 7, 100}) {
    for (const std::int64_t threads : {0, 1, 3, 200}) {
      std::vector<std::atomic<int>> visits(count);
      parallel_for(count, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (const auto& visit : visits)
        EXPECT_EQ(visit, 1) << count << " items, " << threads << " threads";
    }
  }
}

TEST(ParallelFor, RethrowsAnExceptionAfterAllThreadsHaveEnded) {
  std::atomic<int> done = 0;
  const auto work = [&](std::size_t begin, std::size_t) {
    if (begin == 0) throw std::runtime_error("the first");
    ++done;
  };
  EXPECT_THROW(parallel_for(4, 4, work), std::runtime_error);
  EXPECT_EQ(done, 3);
}

}  // namespace
}  // namespace tfm

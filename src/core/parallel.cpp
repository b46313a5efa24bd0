#include "tfm/core/parallel.h"

#include <algorithm>
#include <future>
#include <vector>

#include "tfm/core/cpu.h"

namespace tfm {

void parallel_for(std::size_t count, std::int64_t threads,
                  const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t requested =
      threads > 0 ? static_cast<std::size_t>(threads) : static_cast<std::size_t>(available_cpus());
  const std::size_t ranges = std::min(requested, count);
  if (ranges <= 1) return work(0, count);
  std::vector<std::future<void>> running;
  for (std::size_t i = 0; i < ranges; ++i) {
    // the first range runs on this thread, in wait()
    const auto policy = i == 0 ? std::launch::deferred : std::launch::async;
    running.push_back(std::async(policy, work, count * i / ranges, count * (i + 1) / ranges));
  }
  for (auto& range : running) range.wait();
  for (auto& range : running) range.get();
}

}  // namespace tfm

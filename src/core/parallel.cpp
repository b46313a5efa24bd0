#include "tfm/core/parallel.h"

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace tfm {

void in_parallel(std::size_t count, std::int64_t threads, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads) : std::max(1U, std::thread::hardware_concurrency());
  const std::size_t ranges = std::min(wanted, count);
  if (ranges <= 1) return work(0, count);
  const auto begin_of = [&](std::size_t range) { return count * range / ranges; };
  std::vector<std::future<void>> running;
  for (std::size_t i = 1; i < ranges; ++i) running.push_back(std::async(std::launch::async, work, begin_of(i), begin_of(i + 1)));
  running.push_back(std::async(std::launch::deferred, work, 0, begin_of(1)));  // here, once the others run
  running.back().wait();
  for (auto& range : running) range.wait();
  for (auto& range : running) range.get();
}

}  // namespace tfm

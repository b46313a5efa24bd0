#include "batch_workers.h"

#include <torch/utils.h>

#include <algorithm>
#include <atomic>

#include "tfm/core/parallel.h"
#include "tfm/tensor/runtime.h"

namespace tfm {

void for_each_batch(std::size_t count, const Inference& inference,
                    const std::function<void(std::size_t)>& work) {
  const auto threads = static_cast<std::size_t>(torch::get_num_threads());
  const std::size_t workers =
      inference.uses_host_threads() ? std::clamp<std::size_t>(count, 1, threads) : 1;
  // With batch invariance, every batch gets one thread, because LibTorch's kernels may sum in a
  // different order with a different number of threads.
  const ThreadCountGuard each(
      static_cast<int>(inference.batch_invariant() ? 1 : threads / workers));
  if (workers == 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  end_waiting_threads();
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  parallel_for(workers, static_cast<std::int64_t>(workers), [&](std::size_t, std::size_t) {
    const torch::InferenceMode no_gradients;
    try {
      for (std::size_t i = next++; i < count && !failed; i = next++) work(i);
    } catch (...) {
      failed = true;  // stops the other workers
      throw;
    }
  });
}

void for_each_line(std::size_t count, const std::function<void(std::size_t)>& work) {
  constexpr std::size_t lines_per_thread = 64;  // starting a thread takes as long as a few lines
  const auto threads =
      std::min(static_cast<std::size_t>(torch::get_num_threads()), count / lines_per_thread);
  const auto run = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) work(i);
  };
  if (threads < 2) return run(0, count);
  end_waiting_threads();
  parallel_for(count, static_cast<std::int64_t>(threads), run);
}

}  // namespace tfm

// Parallel loops over independent items, for libraries that do not use LibTorch and its
// at::parallel_for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tfm {

/// Calls work(begin, end) for ranges that together cover [0, count). The first range runs on the
/// calling thread, each other range on a new thread. `threads` is the maximum number of ranges; 0
/// stands for available_cpus() (cpu.h). An exception from `work` is rethrown after all threads have
/// ended.
void parallel_for(std::size_t count, std::int64_t threads,
                  const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace tfm

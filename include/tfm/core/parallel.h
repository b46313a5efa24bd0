// Loops over independent items on all cores, for libraries without LibTorch (whose own loops are
// at::parallel_for).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tfm {

/// Calls work(begin, end) for ranges that together cover [0, count), each on a thread of its own,
/// the first on this one. threads 0: as many as there are cores. What work throws is thrown here,
/// once every thread has ended.
void parallel_for(std::size_t count, std::int64_t threads,
                  const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace tfm

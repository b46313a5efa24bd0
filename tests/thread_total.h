// Counts the threads of the test program.
#pragma once

#include <filesystem>
#include <iterator>

namespace tfm {

inline auto thread_total() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

}  // namespace tfm

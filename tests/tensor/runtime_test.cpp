#include "tfm/tensor/runtime.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <set>
#include <string>
#include <thread>

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

}  // namespace
}  // namespace tfm

// Runs the body of a test in multiple processes, as the ranks of one process group. tfm's launcher
// starts this test program once per rank and selects one disabled test, TEST(DISABLED_RankBody,
// Name), which is the body. If an expectation fails in any rank, the launch fails.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/distributed/launcher.h"

namespace tfm {

/// Runs the body `name` in each rank and returns the exit code of the launch. In the body,
/// rank_folder() returns `folder`.
inline int run_ranks(int ranks, const std::string& name,
                     const std::filesystem::path& folder = "/") {
  LaunchRequest request;
  request.ranks = ranks;
  request.command = {std::filesystem::read_symlink("/proc/self/exe").string(),
                     "--gtest_filter=DISABLED_RankBody." + name, "--gtest_also_run_disabled_tests",
                     "--gtest_brief=1"};
  ::setenv("TFM_TEST_FOLDER", folder.c_str(), 1);
  return launch(request);
}

inline std::filesystem::path rank_folder() { return ::getenv("TFM_TEST_FOLDER"); }

}  // namespace tfm

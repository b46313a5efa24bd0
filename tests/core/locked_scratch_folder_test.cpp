#include "tfm/core/locked_scratch_folder.h"

#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/file_lock.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Creates a folder as a killed process leaves it: with a lock file that no process holds.
fs::path left_behind(const fs::path& folder) {
  make_folder(folder / "run");
  const FileLock lock(folder / "lock");
  return folder;
}

TEST(LockedScratchFolder, RemovesTheFoldersOfKilledProcesses) {
  TemporaryFolder folder;
  const auto name = folder.path("trial");
  const auto stale = left_behind(temporary_name(name));
  {
    const LockedScratchFolder scratch(name);
    EXPECT_FALSE(fs::exists(stale));
    EXPECT_TRUE(fs::is_directory(scratch.path()));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(LockedScratchFolder, KeepsTheFolderOfARunningProcess) {
  TemporaryFolder folder;
  const LockedScratchFolder first(folder.path("trial"));
  const LockedScratchFolder second(folder.path("trial"));
  EXPECT_TRUE(fs::exists(first.path()));
  EXPECT_NE(first.path(), second.path());
}

TEST(LockedScratchFolder, KeepsWhatItMayNotHaveMade) {
  TemporaryFolder folder;
  const auto name = folder.path("trial");
  const auto unlocked = temporary_name(name);
  make_folder(unlocked);
  const std::vector<fs::path> others = {unlocked, left_behind(temporary_name(folder.path("other"))),
                                        left_behind(folder.path(".trial.tfm-tmp-mine")),
                                        left_behind(folder.path("trial"))};
  const auto link = temporary_name(name);
  fs::create_directory_symlink(others[3], link);
  const LockedScratchFolder scratch(name);
  for (const auto& other : others) EXPECT_TRUE(fs::exists(other)) << other;
  EXPECT_TRUE(fs::is_symlink(link));
}

}  // namespace
}  // namespace tfm

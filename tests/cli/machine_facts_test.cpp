#include "cli/machine_facts.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "temporary_folder.h"
#include "tfm/core/cpu.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

TEST(FindFolderFacts, LooksAtTheNearestFolderThatExistsAndLeavesNothing) {
  const TemporaryFolder folder;
  const auto facts = find_folder_facts("runs", folder.path() / "a" / "b");
  EXPECT_TRUE(facts.writable);
  EXPECT_TRUE(facts.problem.empty());
  EXPECT_GT(facts.free_bytes, 0);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(FindFolderFacts, ReportsThatAFolderCannotBeWritten) {
  const auto facts = find_folder_facts("runs", "/proc");
  EXPECT_FALSE(facts.writable);
  EXPECT_FALSE(facts.problem.empty());
}

TEST(FindFolderFacts, ReportsThatThereIsNoFolder) {
  const auto facts = find_folder_facts("temporary files", "");
  EXPECT_FALSE(facts.writable);
  EXPECT_FALSE(facts.problem.empty());
}

TEST(FindMachineFacts, AgreesWithWhatTheProgramUses) {
  const auto facts = find_machine_facts();
  EXPECT_EQ(facts.usable_cpus, available_cpus());
  EXPECT_GE(facts.cpus, facts.usable_cpus);
  EXPECT_GT(facts.total_memory, facts.available_memory);
  EXPECT_GT(facts.open_files, 0);
  EXPECT_FALSE(facts.libtorch.empty());
  EXPECT_EQ(facts.folders.size(), 2U);
}

}  // namespace
}  // namespace tfm

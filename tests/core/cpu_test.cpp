#include "tfm/core/cpu.h"

#include <gtest/gtest.h>

#include <thread>

#include "temporary_folder.h"

namespace tfm {
namespace {

/// A folder in which control groups are mounted.
class ControlGroups {
 public:
  void write(const std::string& group, const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(folder_.path(group));
    folder_.write((std::filesystem::path(group) / file).string(), text);
  }
  std::optional<double> limit(const std::string& membership) const {
    return control_group_cpus(folder_.path(), membership);
  }

 private:
  TemporaryFolder folder_;
};

TEST(ControlGroupCpus, ReadsTheLimitOfVersion2) {
  const ControlGroups groups;
  groups.write("a/b", "cpu.max", "150000 100000\n");
  EXPECT_EQ(groups.limit("0::/a/b\n"), 1.5);
  EXPECT_EQ(groups.limit("0::/a\n"), std::nullopt);
  EXPECT_EQ(groups.limit("0::/\n"), std::nullopt);
}

TEST(ControlGroupCpus, ReadsTheLimitOfVersion1) {
  const ControlGroups groups;
  groups.write("cpu/box", "cpu.cfs_quota_us", "250000\n");
  groups.write("cpu/box", "cpu.cfs_period_us", "100000\n");
  const auto* lines = "4:memory:/other\n2:cpu,cpuacct:/box\n0::/\n";
  EXPECT_EQ(groups.limit(lines), 2.5);
  groups.write("cpu/box", "cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(groups.limit(lines), std::nullopt);
}

TEST(ControlGroupCpus, ReturnsTheSmallestLimitOfTheGroupsAround) {
  const ControlGroups groups;
  groups.write("", "cpu.max", "max 100000\n");
  groups.write("a", "cpu.max", "200000 100000\n");
  groups.write("a/b", "cpu.max", "800000 100000\n");
  EXPECT_EQ(groups.limit("0::/a/b\n"), 2.0);
}

TEST(ControlGroupCpus, ReadsTheRootIfTheContainerDoesNotSeeItsPath) {
  const ControlGroups groups;
  groups.write("", "cpu.max", "50000 100000\n");
  EXPECT_EQ(groups.limit("0::/docker/0123\n"), 0.5);
  EXPECT_EQ(groups.limit("0::/../../docker/0123\n"), 0.5);
}

TEST(ControlGroupCpus, IgnoresFilesAndLinesThatItCannotRead) {
  const ControlGroups groups;
  groups.write("a", "cpu.max", "much\n");
  for (const auto* lines : {"0::/a\n", "", "nothing", "1:cpu\n", "::\n"})
    EXPECT_EQ(groups.limit(lines), std::nullopt) << lines;
}

TEST(AvailableCpus, IsBetweenOneAndTheNumberOfTheMachine) {
  EXPECT_GE(available_cpus(), 1);
  EXPECT_LE(available_cpus(), static_cast<int>(std::thread::hardware_concurrency()));
}

TEST(ProcessCpuTime, GrowsWhileAThreadComputes) {
  const auto before = process_cpu_time();
  if (!before) GTEST_SKIP() << "this system does not report the times of threads";
  const auto grown = [&] { return process_cpu_time()->running > before->running; };
  while (!grown()) {
  }
  EXPECT_GE(process_cpu_time()->waiting, before->waiting);
}

}  // namespace
}  // namespace tfm

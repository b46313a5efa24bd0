#include "tfm/run/run_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "captured_log.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class RunStatusTest : public testing::Test {
 protected:
  TemporaryFolder folder;
  std::filesystem::path run = folder.path("run");
};

TEST_F(RunStatusTest, ReadsRunningAsDiedIfNoProcessHoldsTheLock) {
  const auto text = R"({"state": "running", "step": 7, "epoch": 1, "checkpoint": 5, )"
                    R"("pid": 1, "changed": "2026-01-01T00:00:00Z"})";
  std::filesystem::create_directory(run);
  write_file(run / status_file, text);
  EXPECT_EQ(read_status(run)->state, "died");
  {
    const FileLock lock(run / lock_file);
    EXPECT_EQ(read_status(run)->state, "running");
  }
  const RunStatus next(run);
  EXPECT_EQ(next.previous()->state, "died");
  EXPECT_EQ(next.previous()->step, 7);
  write_file(run / status_file, "{\"state\": \"runn");
  EXPECT_FALSE(read_status(run).has_value());
}

TEST_F(RunStatusTest, PassesTheChecksOfAStartOnToTheNextSession) {
  {
    RunStatus status(run);
    status.start(-1);
    EXPECT_FALSE(read_status(run)->checks.has_value());
    status.checked({.circumstances = 0xfedcba98, .memory = 5'000'000'000});
    status.finished({}, "");
  }
  const RunStatus next(run);
  ASSERT_TRUE(next.previous()->checks.has_value());
  EXPECT_EQ(next.previous()->checks->circumstances, 0xfedcba98);
  EXPECT_EQ(next.previous()->checks->memory, 5'000'000'000);
}

/// A disk that is only briefly full must not end a run between two checkpoints.
TEST_F(RunStatusTest, UpdateOnlyWarnsIfTheFileCannotBeWritten) {
  RunStatus status(run);
  status.start(-1);
  std::filesystem::remove(run / status_file);
  std::filesystem::create_directories(run / status_file / "in the way");
  const CapturedLog log;
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  status.update({});
  EXPECT_THAT(log.text(), HasSubstr(status_file));
  EXPECT_THROW(status.saved({}), Error);
}

}  // namespace
}  // namespace tfm

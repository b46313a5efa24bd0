#include "cli/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captured_log.h"
#include "temporary_folder.h"
#include "tfm/core/file_lock.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Returns what warn_if_training logs for the folder.
std::string warning(const TemporaryFolder& folder) {
  const CapturedLog log;
  warn_if_training(folder.path());
  return log.text();
}

TEST(WarnIfTraining, SaysWhichModelIsUsedIfAProcessIsTraining) {
  const TemporaryFolder folder;
  EXPECT_EQ(warning(folder), "") << "not a run";
  folder.write("config.yaml", "training:\n  best_by: bleu\n");
  folder.write("status.json",
               R"({"state": "running", "step": 30, "epoch": 2, "checkpoint": 20, "pid": 1, )"
               R"("changed": "2026-01-01T00:00:00Z"})");
  EXPECT_EQ(warning(folder), "") << "the process has died";
  const FileLock lock(folder.path("lock"));
  EXPECT_THAT(warning(folder), HasSubstr("is still training (step 30); using the model that it "
                                         "saved last. For the final one, repeat the command"));
  folder.write("metrics.jsonl",
               R"({"event":"validation","step":10,"loss":3.0,"bleu":9.0,"chrf":8.0,"best":true})"
               "\n"
               R"({"event":"validation","step":20,"loss":4.0,"bleu":5.0,"chrf":8.0,"best":false})"
               "\n");
  EXPECT_THAT(warning(folder), HasSubstr("using its best model so far, of step 10."));
}

}  // namespace
}  // namespace tfm

// Tests what a whole run writes to status.json when it ends.
#include "tfm/run/run_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "small_run.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/model/manifest.h"
#include "tfm/run/run_page_file.h"
#include "tfm/training/run.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

class StatusFile : public testing::Test {
 protected:
  TemporaryFolder folder;
  Config config = small_run(folder);
  std::filesystem::path run = folder.path("run");

  RunResult go(bool resume = false) const {
    return train({.config = config, .name = "test", .resume = resume});
  }
};

TEST_F(StatusFile, RecordsThatARunFinished) {
  EXPECT_FALSE(read_status(run).has_value());
  go();
  const auto state = read_status(run).value();
  EXPECT_EQ(state.state, "finished");
  EXPECT_EQ(state.reason, "max_steps 12 reached");
  EXPECT_EQ(state.step, 12);
  EXPECT_EQ(state.checkpoint, 12);
  EXPECT_EQ(state.exit_code, 0);
  EXPECT_EQ(state.pid, ::getpid());
  EXPECT_THAT(state.changed,
              MatchesRegex("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
}

TEST_F(StatusFile, RecordsAnInterruption) {
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THROW(go(), Interrupted);
  clear_interrupt();
  EXPECT_EQ(read_status(run)->state, "interrupted");
  EXPECT_EQ(read_status(run)->exit_code, 130);
  EXPECT_FALSE(read_run(run).running);
  EXPECT_THAT(read_file(run / page_file), HasSubstr("interrupted at step 0"));
  go(/*resume=*/true);
  EXPECT_EQ(read_status(run)->state, "finished");
}

TEST_F(StatusFile, RecordsAFailureAndItsReason) {
  config.training.max_steps = 4;
  config.training.best_by = BestBy::loss;  // the loss improves at each validation
  go();
  config.training.max_steps = 12;
  std::filesystem::remove(run / manifest_file);  // otherwise the run renames the corrupt model
  std::filesystem::remove_all(run / "model.safetensors");
  std::filesystem::create_directory(run / "model.safetensors");  // a file can't replace it
  EXPECT_THROW(go(/*resume=*/true), ModelError);
  const auto state = read_status(run).value();
  EXPECT_EQ(state.state, "failed");
  EXPECT_EQ(state.exit_code, 1);
  EXPECT_THAT(state.reason, HasSubstr("model.safetensors: can't be written: Is a directory"));
  EXPECT_FALSE(read_run(run).running);
  EXPECT_THAT(read_file(run / page_file),
              AllOf(HasSubstr("failed: "), HasSubstr("can't be written: Is a directory")));
  std::filesystem::remove(run / "model.safetensors");
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 12) << "the run resumes once the cause is removed";
}

TEST_F(StatusFile, KeepsTheStateFinishedIfASessionIsRefused) {
  go();
  config.model.heads = 4;
  EXPECT_THROW(go(/*resume=*/true), ConfigError);
  EXPECT_EQ(read_status(run)->state, "finished");
}

TEST_F(StatusFile, KeepsTheStateFinishedIfASecondTrainerIsRefused) {
  config.training.max_steps = 4;
  go();
  const FileLock lock(run / lock_file);
  const auto message = message_of<ModelError>([&] { go(/*resume=*/true); });
  EXPECT_THAT(message, AllOf(HasSubstr("run: is in use by process " + std::to_string(::getpid())),
                             HasSubstr("kill")));
  EXPECT_EQ(nlohmann::json::parse(read_file(run / status_file))["state"], "finished")
      << "the refused trainer does not change it";
}

/// Simulates a run that was killed after its first validation wrote a model and before its first
/// checkpoint.
TEST_F(StatusFile, LetsARunThatDiedBeforeItsFirstCheckpointStartAgain) {
  go();
  std::filesystem::remove_all(run / "checkpoints");
  EXPECT_THROW(go(/*resume=*/true), ConfigError) << "a finished model is kept";
  write_file(run / status_file,
             R"({"state": "running", "step": 3, "epoch": 0, "checkpoint": null, )"
             R"("pid": 1, "changed": "2026-01-01T00:00:00Z"})");
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 12);
}

}  // namespace
}  // namespace tfm

#include "tfm/run/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captured_log.h"
#include "temporary_folder.h"
#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/model/model_files.h"
#include "tfm/run/checkpoint_store.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Changes to a temporary working directory, in which runs/NAME is created.
class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() : previous_(fs::current_path()) { fs::current_path(folder.path()); }
  ~RunFolderTest() override { fs::current_path(previous_); }

  static TrainRequest request(bool resume = false) {
    return {.config = Config{}, .name = "test", .resume = resume};
  }
  /// Writes the files of a run that ended after `step`. If `step` is 0, the run has no checkpoint.
  static void make_run(const fs::path& run, std::int64_t step = 0, const Config& config = {},
                       double seconds = 0, bool fitted = false) {
    fs::create_directories(run);
    write_file(run / config_file, write_config(config));
    write_file(run / lock_file, "");
    write_file(run / "metrics.jsonl", "");
    if (step == 0) return;
    TrainerState state;
    state.step = step;
    state.validated_step = step;
    state.seconds = seconds;
    state.has_fitted_steps = fitted;
    CheckpointStore(run).save(state, [](const fs::path& unfinished) {
      write_file(unfinished / weights_file, "w");
      write_file(unfinished / optimizer_file, "o");
    });
  }

  TemporaryFolder folder;

 private:
  fs::path previous_;
};

TEST_F(RunFolderTest, NewRunGetsTheFirstFreeFolder) {
  EXPECT_EQ(RunFolder::would_be(request()).folder, "runs/test");
  EXPECT_FALSE(fs::exists("runs")) << "would_be creates no folder";
  make_run("runs/test");
  make_run("runs/test-2");
  EXPECT_EQ(RunFolder::would_be(request()).folder, "runs/test-3");
  const auto run = RunFolder::open(request());
  EXPECT_EQ(run.path(), "runs/test-3");
  EXPECT_FALSE(run.checkpoint().has_value());
  EXPECT_EQ(RunFolder::would_be(request()).folder, "runs/test-4") << "the third is locked";
}

TEST_F(RunFolderTest, ResumedRunGetsTheLastFolderWithACheckpoint) {
  make_run("runs/test", 4);
  make_run("runs/test-2", 6);
  make_run("runs/test-3");
  EXPECT_TRUE(RunFolder::would_be(request(/*resume=*/true)).has_checkpoint);
  const auto run = RunFolder::open(request(/*resume=*/true));
  EXPECT_EQ(run.path(), "runs/test-2");
  EXPECT_EQ(run.checkpoint(), "runs/test-2/checkpoints/step-00000006");
}

TEST_F(RunFolderTest, FindsRunsBehindAMissingNumber) {
  make_run("runs/test-3", 6);
  EXPECT_EQ(RunFolder::would_be(request(/*resume=*/true)).folder, "runs/test-3");
  make_run("runs/test", 4);
  for (const char* other : {"runs/test-2024", "runs/test-05", "runs/test-b", "runs/testing-7"})
    make_run(other, 8);  // runs of other configs
  const CapturedLog log;
  EXPECT_EQ(RunFolder::would_be(request(/*resume=*/true)).folder, "runs/test-3");
  EXPECT_THAT(log.text(), HasSubstr("resuming runs/test-3; there is also runs/test\n"));
  EXPECT_EQ(RunFolder::would_be(request()).folder, "runs/test-4");
}

TEST_F(RunFolderTest, SaysThatTheConfigOfTheResumedRunIsMissing) {
  make_run("runs/test", 4);
  make_run("runs/test-2", 4);
  fs::remove(fs::path("runs/test-2") / config_file);
  EXPECT_THAT(message_of<ModelError>([&] { RunFolder::would_be(request(/*resume=*/true)); }),
              testing::AllOf(HasSubstr("runs/test-2/config.yaml: is missing"),
                             HasSubstr("Restore the file")));
  EXPECT_EQ(RunFolder::would_be(request()).folder, "runs/test-3");
}

TEST_F(RunFolderTest, WarnsIfANewRunGetsANumberedFolder) {
  make_run("runs/test", 4);
  const CapturedLog log;
  const auto run = RunFolder::open(request());
  EXPECT_THAT(log.text(), HasSubstr("there is already runs/test: this new run is runs/test-2"));
  EXPECT_THAT(log.text(), HasSubstr("--resume FOLDER"));
}

TEST_F(RunFolderTest, LogsWhichRunIsResumedAndWhichOthersExist) {
  make_run("runs/test", 4);
  make_run("runs/test-2", 6);
  write_file("runs/test/status.json",
             R"({"state": "finished", "step": 4, "epoch": 1, "checkpoint": 4, "pid": 1, )"
             R"("changed": "2026-01-01T00:00:00Z"})");
  for (const bool opened : {false, true}) {
    const CapturedLog log;
    opened ? void(RunFolder::open(request(/*resume=*/true)))
           : void(RunFolder::would_be(request(/*resume=*/true)));
    EXPECT_THAT(log.text(),
                HasSubstr("resuming runs/test-2; there is also runs/test (finished, step 4)"));
  }
}

TEST_F(RunFolderTest, LogsNothingIfThereIsNoOtherRun) {
  const CapturedLog log;
  RunFolder::would_be(request());
  make_run("runs/test", 4);
  RunFolder::would_be(request(/*resume=*/true));
  EXPECT_EQ(log.text(), "");
}

TEST_F(RunFolderTest, OpenRecoversACheckpointThatWasBeingReplaced) {
  make_run("runs/test", 4);
  fs::rename("runs/test/checkpoints/step-00000004",
             "runs/test/checkpoints/.step-00000004.tfm-replaced");
  EXPECT_FALSE(RunFolder::would_be(request(/*resume=*/true)).has_checkpoint);
  make_run("runs/test", 2);
  EXPECT_EQ(RunFolder::open(request(/*resume=*/true)).checkpoint()->filename(), "step-00000004");
}

TEST_F(RunFolderTest, FolderThatOpenCreatedIsRemovedIfTheSessionWritesNothing) {
  fs::create_directory("empty");
  auto named = request();
  named.config.training.run_folder = "empty";
  {
    const auto run = RunFolder::open(named);
  }
  EXPECT_TRUE(fs::is_empty("empty"));
  {
    const auto run = RunFolder::open(request());
  }
  EXPECT_FALSE(fs::exists("runs"));
  {
    const auto run = RunFolder::open(request());
    write_file(run.path() / config_file, "");
  }
  EXPECT_TRUE(fs::exists("runs/test/lock"))
      << "without the lock, the config would count as the user's";
}

TEST_F(RunFolderTest, FolderIsKeptIfTheSessionStarted) {
  {
    auto run = RunFolder::open(request());
    run.start();
  }
  EXPECT_EQ(read_status("runs/test")->state, "died");
}

TEST_F(RunFolderTest, RecordsWhyTheSessionEndedEarly) {
  auto run = RunFolder::open(request());
  run.start();
  try {
    throw ModelError("disk", "is full");
  } catch (...) {
    run.record_exception();
  }
  EXPECT_EQ(read_status("runs/test")->state, "failed");
  EXPECT_EQ(read_status("runs/test")->reason, "disk: is full");
  try {
    throw Interrupted("interrupted at step 5");
  } catch (...) {
    run.record_exception();
  }
  EXPECT_EQ(read_status("runs/test")->state, "interrupted");
}

TEST_F(RunFolderTest, ThrowsIfTheFolderIsLockedOrANewRunFindsAnotherRunInIt) {
  auto named = request();
  named.config.training.run_folder = "runs/test";
  make_run("runs/test");
  EXPECT_THAT(message_of<ConfigError>([&] { RunFolder::open(named); }),
              HasSubstr("already contains a run"));
  named.resume = true;
  const auto run = RunFolder::open(named);
  EXPECT_THROW(RunFolder::would_be(named), ModelError);
}

TEST_F(RunFolderTest, ResumeThrowsIfThereIsAModelButNoCheckpoint) {
  make_run("runs/test");
  write_file(fs::path("runs/test") / weights_file, "w");
  EXPECT_THAT(message_of<ConfigError>([&] { RunFolder::open(request(/*resume=*/true)); }),
              HasSubstr("no checkpoint to resume from"));
}

TEST_F(RunFolderTest, ResumeThrowsIfModelSettingsDiffer) {
  Config before;
  before.model.transformer_ff = 64;
  make_run("runs/test", 4, before);
  EXPECT_THAT(message_of<ConfigError>([&] { RunFolder::would_be(request(/*resume=*/true)); }),
              HasSubstr("model.transformer_ff"));
  EXPECT_THROW(RunFolder::open(request(/*resume=*/true)), ConfigError);
}

/// A vocabulary that a run learns gets the tags and the symbols of the modifier prefix.
TEST_F(RunFolderTest, ResumedRunKeepsTheSymbolsThatItsVocabularyGot) {
  auto resumed = request(/*resume=*/true);
  resumed.config.data.sets = {"a=a.tsv"};
  resumed.config.data.tags = {"a=<BT>"};
  resumed.config.data.modifiers = {"prefix=0.1"};
  resumed.config.tokenizer.symbols = {"<num>"};
  Config before = resumed.config;
  before.tokenizer.symbols = {"<num>", "<BT>", "__start__", "__end__"};
  make_run("runs/test", 4, before);
  EXPECT_EQ(RunFolder::would_be(resumed).config.tokenizer.symbols, before.tokenizer.symbols);
  resumed.config.data.modifiers = {"typos=0.1"};
  EXPECT_EQ(RunFolder::would_be(resumed).config.tokenizer.symbols, before.tokenizer.symbols)
      << "the vocabulary stays as it is";
  resumed.config.tokenizer.symbols = {"<other>"};
  EXPECT_THAT(message_of<ConfigError>([&] { RunFolder::would_be(resumed); }),
              HasSubstr("tokenizer.symbols"));
}

TEST_F(RunFolderTest, ResumedRunKeepsItsAutomaticallyChosenNumbers) {
  Config before;
  before.tokenizer.vocab_size = 1500;
  before.training.batch_size = 1234;
  before.training.max_steps = 567;
  make_run("runs/test", 4, before);
  auto resumed = request(/*resume=*/true);
  resumed.config.tokenizer.vocab_size = TokenizerConfig::automatic_size;
  resumed.config.training.batch_size = 0;
  resumed.config.training.max_steps = before.training.max_steps;
  const CapturedLog log;
  const auto run = RunFolder::open(resumed);
  EXPECT_EQ(run.config().tokenizer.vocab_size, 1500);
  EXPECT_EQ(run.config().training.batch_size, 1234);
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("changed since the last session")));
}

/// The run was to make 1000 updates in four minutes, but they made only 500.
TEST_F(RunFolderTest, PlansAResumedRunWithAnotherTimeLimitFromTheTimeThatItsUpdatesTook) {
  Config before;
  before.training.max_minutes = 4;
  before.training.max_steps = 1000;
  before.training.warmup_steps = 10;
  make_run("runs/test", 500, before, /*seconds=*/240);
  auto resumed = request(/*resume=*/true);
  resumed.config.training = before.training;
  resumed.config.training.max_steps = TrainingConfig::automatic_steps;
  const auto steps = [&](double minutes) {
    resumed.config.training.max_minutes = minutes;
    return RunFolder::would_be(resumed).config.training.max_steps;
  };
  EXPECT_EQ(steps(6), 500 + 237) << "95% of two minutes are 114 s, of 0.48 s each";
  EXPECT_EQ(steps(4), 1000) << "the limit is the same";
  EXPECT_EQ(steps(3), 1000) << "the time is over";
}

TEST_F(RunFolderTest, PlansAgainWithTheNumberOfAPlannedRun) {
  Config before;
  before.training.max_minutes = 4;
  before.training.max_steps = 1000;
  before.training.warmup_steps = 10;
  auto resumed = request(/*resume=*/true);
  resumed.config.training = before.training;
  resumed.config.training.max_minutes = 6;
  make_run("runs/test", 500, before, /*seconds=*/240);
  EXPECT_EQ(RunFolder::would_be(resumed).config.training.max_steps, 1000)
      << "the number was not automatic";
  fs::remove_all("runs/test");
  make_run("runs/test", 500, before, /*seconds=*/240, /*fitted=*/true);
  const auto planned = RunFolder::would_be(resumed);
  EXPECT_EQ(planned.config.training.max_steps, 500 + 237);
  EXPECT_TRUE(planned.has_fitted_steps);
  resumed.config.training.max_steps = 800;
  EXPECT_EQ(RunFolder::would_be(resumed).config.training.max_steps, 800) << "it was set";
  EXPECT_FALSE(RunFolder::open(resumed).has_fitted_steps());
}

TEST_F(RunFolderTest, RunThatBeginsAgainDeterminesItsNumbersAgain) {
  Config before;
  before.tokenizer.vocab_size = 1500;
  before.training.batch_size = 1234;
  make_run("runs/test", 0, before);
  auto again = request(/*resume=*/true);
  again.config.tokenizer.vocab_size = TokenizerConfig::automatic_size;
  again.config.training.batch_size = 0;
  const auto run = RunFolder::open(again);
  EXPECT_FALSE(run.checkpoint());
  EXPECT_EQ(run.config().tokenizer.vocab_size, TokenizerConfig::automatic_size);
  EXPECT_EQ(run.config().training.batch_size, 0);
}

}  // namespace
}  // namespace tfm

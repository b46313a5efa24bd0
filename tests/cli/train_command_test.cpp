#include "cli/train_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "parsed.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(TrainCommand, ParsesConfigFileOverridesAndFlags) {
  const auto options =
      parsed(train_command, {"train", "--config", "a.yaml", "training.max_steps=10",
                             "model.heads=2", "--resume", "--dry-run"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->config, "a.yaml");
  EXPECT_THAT(options->overrides, ElementsAre("training.max_steps=10", "model.heads=2"));
  EXPECT_TRUE(options->resume);
  EXPECT_TRUE(options->dry_run);
}

TEST(TrainCommand, TurnsOptionsForConfigFieldsIntoOverrides) {
  const auto options = parsed(
      train_command, {"train", "-c", "a.yaml", "--seed=3", "--device", "cpu", "--threads", "2"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->overrides,
              testing::UnorderedElementsAre("training.seed=3", "training.device=cpu",
                                            "training.threads=2"));
  EXPECT_FALSE(options->resume);
}

TEST(TrainCommand, AcceptsTheConfigFileBeforeOrAfterOverrides) {
  for (const Arguments& arguments : {Arguments{"train", "a.yaml", "training.max_steps=10"},
                                     Arguments{"train", "training.max_steps=10", "a.yaml"}}) {
    const auto options = parsed(train_command, arguments);
    ASSERT_TRUE(options);
    EXPECT_EQ(options->config, "a.yaml");
    EXPECT_THAT(options->overrides, ElementsAre("training.max_steps=10"));
  }
  EXPECT_FALSE(parsed(train_command, {"train", "a.yaml", "--config", "b.yaml"}));
}

TEST(TrainCommand, NeedsNoConfigFileIfOverridesAreGiven) {
  const auto options = parsed(train_command, {"train", "data.train_tsv=a.tsv", "model.heads=2"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->config, "");
  EXPECT_THAT(options->overrides, ElementsAre("data.train_tsv=a.tsv", "model.heads=2"));
}

TEST(TrainCommand, AcceptsAnOptionalRunFolderAfterResume) {
  const auto newest = parsed(train_command, {"train", "-c", "a.yaml", "--resume"});
  EXPECT_TRUE(newest->resume);
  EXPECT_EQ(newest->resumed_folder, "");
  const auto named = parsed(train_command, {"train", "-c", "a.yaml", "--resume", "runs/a"});
  EXPECT_TRUE(named->resume);
  EXPECT_EQ(named->resumed_folder, "runs/a");
  const auto changed = parsed(train_command, {"train", "-c", "a.yaml", "training.seed=2",
                                              "--resume", "training.max_steps=9"});
  EXPECT_TRUE(changed->resume);
  EXPECT_EQ(changed->resumed_folder, "");
  EXPECT_THAT(changed->overrides, ElementsAre("training.seed=2", "training.max_steps=9"));
  EXPECT_FALSE(parsed(train_command, {"train", "-c", "a.yaml"})->resume);
}

TEST(TrainCommand, TreatsAFolderWithAnEqualsSignAfterResumeAsTheRunFolder) {
  const TemporaryFolder folder;
  const auto run = folder.path("lr=0.003");
  std::filesystem::create_directory(run);
  const auto options = parsed(train_command, {"train", "--resume", run.string()});
  EXPECT_EQ(options->resumed_folder, run);
  EXPECT_THAT(options->overrides, testing::IsEmpty());
}

TEST(TrainCommand, TreatsAFileAfterResumeAsTheConfigFile) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "");
  const auto file = folder.path("a.yaml").string();
  const auto options = parsed(train_command, {"train", "--resume", file});
  EXPECT_TRUE(options->resume);
  EXPECT_EQ(options->config, file);
  EXPECT_EQ(options->resumed_folder, "");
}

TEST(CheckLaunchedTrain, RefusesFilesThatSeveralProcessesCannotRead) {
  const TemporaryFolder folder;
  const auto pipe = folder.path("train.tsv").string();
  TrainOptions options;
  options.overrides = {"data.train_tsv=" + pipe};
  EXPECT_THAT(message_of<DataError>([&] { check_launched_train(options, 2); }),
              testing::HasSubstr("data.train_tsv: " + pipe + " does not exist"));
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(message_of<DataError>([&] { check_launched_train(options, 2); }),
              testing::HasSubstr("data.train_tsv: " + pipe +
                                 " can be read only once, but 2 processes read it"));
}

}  // namespace
}  // namespace tfm

#include "tfm/training/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_run.h"
#include "tfm/core/error.h"
#include "tfm/model/model_folder.h"
#include "tfm/run/checkpoint_store.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Corpus make_corpus(const std::vector<std::size_t>& lengths) {
  Corpus corpus;
  for (const auto length : lengths)
    corpus.examples.push_back({TokenIds(length, 3), TokenIds(length - 1, 3)});
  return corpus;
}

TEST(DiskUsage, CountsWeightsOptimizerAndKeptCheckpoints) {
  TrainingConfig config;
  config.keep_checkpoints = 2;
  const auto adam = estimate_disk_usage(config, 1000);
  EXPECT_EQ(adam.model, 4000);
  EXPECT_EQ(adam.checkpoint, 12000);
  EXPECT_EQ(adam.all(), 4000 + 4 * 12000)
      << "two kept checkpoints, one of an interruption, and one being written";
  config.optimizer = OptimizerKind::sgd;
  EXPECT_EQ(estimate_disk_usage(config, 1000).checkpoint, 8000);
}

TEST(DiskUsage, IsCloseToTheFileSizesOfARealCheckpoint) {
  const TemporaryFolder folder;
  const auto config = small_run(folder);
  const auto result = train({.config = config, .name = "test"});
  const auto parameters = load_model(result.folder, torch::kCPU).network->parameter_count();
  double bytes = 0;
  const auto checkpoint = CheckpointStore(result.folder).list().back();
  for (const auto& entry : fs::directory_iterator(checkpoint))
    bytes += static_cast<double>(entry.file_size());
  EXPECT_NEAR(estimate_disk_usage(config.training, parameters).checkpoint / bytes, 1, 0.25)
      << "the headers and the state of the random generator are small";
}

TEST(CheckDisk, ThrowsIfNotEvenOneCheckpointFits) {
  const DiskUsage need{.model = 1000, .checkpoint = 3000, .checkpoints = 3};
  check_disk(need, 10000, "runs/a");
  check_disk(need, 4000, "runs/a");  // warns, but does not throw
  EXPECT_THAT(message_of<ModelError>([&] { check_disk(need, 3999, "runs/a"); }),
              HasSubstr("only 4.0 kB is free"));
}

TEST(FreeSpace, CountsTheCheckpointsThatTheRunReplaces) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path("run/checkpoints"));
  EXPECT_GT(free_space(folder.path("none/run")), 0) << "the folder does not exist yet";
  folder.write("run/checkpoints/old", "");
  const double before = free_space(folder.path("run"));
  fs::resize_file(folder.path("run/checkpoints/old"), 100000000000);  // a sparse file
  EXPECT_GT(free_space(folder.path("run")) - before, 0.9e11);
}

TEST(LengthHistogram, CountsThePairsOfEachLengthClass) {
  const auto corpus = make_corpus({1, 4, 5, 8, 8, 9});
  EXPECT_EQ(length_histogram(CountedCorpus(corpus)),
            "       1-4                2  ##########################\n"
            "       5-8                3  ########################################\n"
            "       9-16               1  #############\n");
}

TEST(PlannedUpdates, EndAtTheLimitThatComesFirst) {
  Config config;
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 2;
  const auto examples = make_corpus({3, 3, 3, 3, 3});  // 3 batches
  const CountedCorpus corpus(examples);
  config.training.max_steps = 0;
  EXPECT_EQ(planned_updates(corpus, config, /*ranks=*/1), std::nullopt);
  config.training.max_epochs = 4;
  EXPECT_EQ(planned_updates(corpus, config, /*ranks=*/1), 12);
  config.training.accum_count = 2;
  EXPECT_EQ(planned_updates(corpus, config, /*ranks=*/1), 6);
  EXPECT_EQ(planned_updates(corpus, config, /*ranks=*/2), 3);
  EXPECT_EQ(planned_updates(corpus, config, /*ranks=*/5), 2) << "the last update is not full";
  config.training.max_steps = 5;
  EXPECT_EQ(planned_updates(corpus, config, /*ranks=*/1), 5);
}

class DryRun : public testing::Test {
 protected:
  TemporaryFolder folder;
  Config config = small_run(folder);
  std::string dry(bool resume = false) const {
    return dry_run({.config = config, .name = "test", .resume = resume});
  }
};

TEST_F(DryRun, ReportsTimeMemoryAndDiskSpaceAndLeavesNoFiles) {
  const auto files = std::distance(fs::recursive_directory_iterator(folder.path()), {});
  const auto report = dry();
  for (const char* part :
       {"encoder", "all", "pairs", "unknown to the vocabulary", "longest batch", "memory",
        "tokens/s", "validation           about", "checkpoint", "disk", "12 updates"}) {
    EXPECT_THAT(report, HasSubstr(part));
  }
  EXPECT_EQ(std::distance(fs::recursive_directory_iterator(folder.path()), {}), files);
}

TEST_F(DryRun, WritesOnlyOnTheDiskOfTheRun) {
  const auto elsewhere = folder.path("no such folder").string();
  const char* set = std::getenv("TMPDIR");
  const std::string before = set != nullptr ? set : "";
  ::setenv("TMPDIR", elsewhere.c_str(), 1);
  EXPECT_NO_THROW(dry());
  set != nullptr ? ::setenv("TMPDIR", before.c_str(), 1) : ::unsetenv("TMPDIR");
  config.training.run_folder = folder.write("a file", "in the way") / "run";
  EXPECT_THAT(message_of<Error>([&] { dry(); }), HasSubstr("a file"));
}

TEST_F(DryRun, ThrowsTheErrorsThatTheRunWouldThrow) {
  train({.config = config, .name = "test"});
  EXPECT_THAT(message_of<ConfigError>([&] { dry(); }), HasSubstr("already contains a run"));
  config.model.transformer_ff = 32;
  EXPECT_THAT(message_of<ConfigError>([&] { dry(/*resume=*/true); }), HasSubstr("transformer_ff"));
}

TEST_F(DryRun, UsesTheVocabularyOfTheResumedRun) {
  train({.config = config, .name = "test"});
  const auto parameters = [](const std::string& report) {
    return report.substr(0, report.find("training text"));
  };
  const auto before = parameters(dry(/*resume=*/true));
  folder.write("train.src", "one new\nwords\nmany of them\n");
  folder.write("train.tgt", "and others\nhere\ntoo\n");
  EXPECT_EQ(parameters(dry(/*resume=*/true)), before);
}

}  // namespace
}  // namespace tfm

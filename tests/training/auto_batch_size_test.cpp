#include "tfm/training/auto_batch_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "captured_log.h"
#include "small_run.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/run/checkpoint_store.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Simulates a machine on which a batch of size n takes 1000 + 10 n bytes.
struct Machine {
  std::vector<std::int64_t> tried;
  BatchTrial operator()(std::int64_t size) {
    tried.push_back(size);
    return {.fits = true, .peak = 1000 + 10.0 * static_cast<double>(size)};
  }
};

TEST(LargestBatchThatFits, ExtrapolatesTheLastTwoPeaksToTheBudget) {
  Machine machine;
  const auto size = largest_batch_that_fits({.step = 10, .smallest = 10, .largest = 10000}, 7055,
                                            std::ref(machine));
  EXPECT_EQ(size, 600);  // takes 7000 bytes; 610 would take 7100
  EXPECT_THAT(machine.tried, ElementsAre(10, 20, 40, 80, 160, 320))
      << "sizes that would not fit are not tried";
}

TEST(LargestBatchThatFits, StopsAtTheLargestSize) {
  Machine machine;
  EXPECT_EQ(
      largest_batch_that_fits({.step = 10, .smallest = 10, .largest = 50}, 1e9, std::ref(machine)),
      50);
  EXPECT_THAT(machine.tried, ElementsAre(10, 20, 40, 50));
}

TEST(LargestBatchThatFits, ReturnsZeroIfTheSmallestSizeIsTooLarge) {
  Machine machine;
  EXPECT_EQ(
      largest_batch_that_fits({.step = 10, .smallest = 10, .largest = 50}, 1000, std::ref(machine)),
      0);
}

TEST(LargestBatchThatFits, TriesTheMidpointOfTheLastTwoSizesIfPeaksAreUnknown) {
  std::vector<std::int64_t> tried;
  const auto gpu = [&](std::int64_t limit) {
    return [&tried, limit](std::int64_t size) {
      tried.push_back(size);
      return BatchTrial{.fits = size <= limit, .peak = 0};
    };
  };
  const BatchSizeRange sizes{.step = 10, .smallest = 10, .largest = 10000};
  EXPECT_EQ(largest_batch_that_fits(sizes, 1, gpu(65)), 60);
  EXPECT_THAT(tried, ElementsAre(10, 20, 40, 80, 60));
  EXPECT_EQ(largest_batch_that_fits(sizes, 1, gpu(45)), 40);
  EXPECT_EQ(largest_batch_that_fits(sizes, 1, gpu(5)), 0);
}

TEST(BatchSizeRange, ExtendsFromTheLongestPairToASixteenthOfTheCorpus) {
  Corpus corpus;
  for (int i = 0; i < 3200; ++i) corpus.examples.push_back({TokenIds(10, 3), TokenIds(8, 3)});
  corpus.examples.push_back({TokenIds(300, 3), TokenIds(8, 3)});
  Config config;
  auto sizes = batch_size_range(CountedCorpus(corpus), config);
  const auto longest = corpus.examples[3200].length();
  EXPECT_EQ(sizes.smallest, (longest + 255) / 256 * 256);
  EXPECT_EQ(sizes.largest, (3200 * corpus.examples[0].length() + longest) / 16 / 256 * 256);
  config.training.batch_type = BatchType::sentences;
  sizes = batch_size_range(CountedCorpus(corpus), config);
  EXPECT_EQ(sizes.smallest, 8);
  EXPECT_EQ(sizes.largest, 200);
}

class AutoBatchSize : public testing::Test {
 protected:
  AutoBatchSize() {
    // The largest batch size to try is a sixteenth of this text (about 1000 tokens), rounded down
    // to a multiple of 256: 768 tokens.
    config.data.train_source = folder.write("long.src", made_up_text('a', 4000));
    config.data.train_target = folder.write("long.tgt", made_up_text('m', 4000));
    config.training.batch_size = 0;
    config.training.max_steps = 3;
    config.training.valid_steps = 0;
  }
  RunResult go(bool resume = false) const {
    return train({.config = config, .name = "test", .resume = resume});
  }
  int64_t written() const {
    return load_config(folder.path("run") / config_file).training.batch_size;
  }
  StateDict weights() const { return read_safetensors(folder.path("run") / weights_file).tensors; }

  TemporaryFolder folder;
  Config config = small_run(folder);
};

TEST_F(AutoBatchSize, IsWrittenToTheConfigAndKeptOnResume) {
  go();
  const auto size = written();
  EXPECT_EQ(size, 768)
      << "the largest size worth trying, which fits into the memory of any machine";
  config.training.max_steps = 5;
  go(/*resume=*/true);
  EXPECT_EQ(written(), size);
}

TEST_F(AutoBatchSize, IsDeterminedAgainOnResumeIfTheBatchTypeChanged) {
  go();
  config.training.batch_type = BatchType::sentences;
  config.training.max_steps = 5;
  go(/*resume=*/true);
  EXPECT_LT(written(), 768) << "768 was a number of tokens; this is a number of pairs";
}

TEST_F(AutoBatchSize, TrainsAsIfTheConfigContainedTheChosenSize) {
  config.model.dropout = 0.2;
  go();
  const auto fitted = weights();
  config.training.batch_size = written();
  std::filesystem::remove_all(folder.path("run"));
  go();
  for (const auto& [name, tensor] : weights()) EXPECT_TRUE(tensor.equal(fitted.at(name))) << name;
}

class AutoMaxSteps : public AutoBatchSize {
 protected:
  AutoMaxSteps() {
    config.training.batch_size = 60;
    config.training.max_steps = TrainingConfig::automatic_steps;
    config.training.max_minutes = 0.02;
    config.training.schedule = ScheduleKind::cosine;
    config.training.warmup_steps = 1;
  }
  int64_t steps() const { return load_config(folder.path("run") / config_file).training.max_steps; }
  std::vector<double> losses() const {
    std::vector<double> losses;
    std::ifstream metrics(folder.path("run") / "metrics.jsonl");
    for (std::string line; std::getline(metrics, line);) {
      const auto event = nlohmann::json::parse(line);
      if (event["event"] == "step") losses.push_back(event["loss"]);
    }
    return losses;
  }
};

TEST_F(AutoMaxSteps, IsWrittenToTheConfigAndKeptOnResume) {
  go();
  const auto before = steps();
  EXPECT_GT(before, 1);
  go(/*resume=*/true);
  EXPECT_EQ(steps(), before);
}

TEST_F(AutoMaxSteps, IsPlannedAgainWithTheConfigOfTheRun) {
  go();
  const auto before = steps();
  config = load_config(folder.path("run") / config_file);
  config.training.max_minutes *= 3;
  EXPECT_TRUE(go(/*resume=*/true).has_fitted_steps);
  EXPECT_NE(steps(), before);
}

TEST_F(AutoMaxSteps, ShortensTheDefaultIntervalsAndKeepsThemOnResume) {
  config.training.warmup_steps = TrainingConfig{}.warmup_steps;
  config.training.valid_steps = TrainingConfig{}.valid_steps;
  go();
  const auto read = [&] { return load_config(folder.path("run") / config_file).training; };
  const auto first = read();
  EXPECT_LT(first.warmup_steps, first.max_steps);
  EXPECT_LT(first.valid_steps, first.max_steps);
  config.training.max_minutes *= 3;
  const auto ended =
      CheckpointStore::step_in_name(CheckpointStore(folder.path("run")).list().back());
  go(/*resume=*/true);
  EXPECT_EQ(read().warmup_steps, first.warmup_steps);
  EXPECT_EQ(read().valid_steps, first.valid_steps);
  EXPECT_GT(read().max_steps, ended);
}

TEST_F(AutoMaxSteps, TrainsAsIfTheConfigContainedTheChosenNumber) {
  config.model.dropout = 0.2;
  config.training.log_every = 1;
  go();
  const auto fitted = losses();
  config.training.max_steps = steps();
  config.training.max_minutes = 0;
  std::filesystem::remove_all(folder.path("run"));
  go();
  const auto logged = losses();
  ASSERT_GE(logged.size(), fitted.size()) << "the time limit may have ended it earlier";
  EXPECT_THAT(std::vector(logged.begin(), logged.begin() + std::ssize(fitted)),
              testing::ElementsAreArray(fitted));
}

TEST_F(AutoMaxSteps, EndsWithTheLastEpochIfTheTimeAllowsMore) {
  config.training.max_minutes = 0.5;
  config.training.max_epochs = 1;
  config.training.batch_size = 2000;
  config.training.warmup_steps = TrainingConfig{}.warmup_steps;
  const CapturedLog log;
  const auto result = go();
  const auto fitted = load_config(folder.path("run") / config_file).training;
  EXPECT_EQ(result.end.state.step, fitted.max_steps) << "the schedule ends with the run";
  EXPECT_LT(fitted.warmup_steps, fitted.max_steps);
  EXPECT_THAT(log.text(), HasSubstr(fmt::format("training.max_steps: {}, for max_epochs 1 "
                                                "(max_minutes 0.5 allows about ",
                                                fitted.max_steps)));
  config.training.max_epochs = 2;
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 2 * fitted.max_steps) << "not half a minute";
}

TEST_F(AutoMaxSteps, IsDeterminedAgainIfTheRunWasKilledBeforeItsFirstUpdate) {
  auto killed = config;
  killed.training.max_steps = 963000;
  std::filesystem::create_directories(folder.path("run"));
  folder.write("run/config.yaml", write_config(killed));
  folder.write("run/lock", "");
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("measuring how many updates fit"));
  EXPECT_LT(steps(), 963000);
}

TEST_F(AutoMaxSteps, SaysThatNothingWasTrainedIfItsMeasurementIsInterrupted) {
  install_signal_handlers();
  const CapturedLog log([](const std::string& line) {
    if (line.starts_with("measuring how many updates fit")) std::raise(SIGTERM);
  });
  EXPECT_THAT(message_of<Interrupted>([&] { go(); }),
              testing::AllOf(HasSubstr("interrupted while the time of updates was measured"),
                             HasSubstr("nothing is trained yet"), HasSubstr("same command")));
  clear_interrupt();
}

TEST_F(AutoMaxSteps, IsCorrectedBeforeTheFirstValidationIfUpdatesAreSlowerThanMeasured) {
  config.training.valid_steps = 5;
  config.training.log_every = 1;
  std::int64_t planned = 0;
  const CapturedLog log([&](const std::string& line) {
    if (!line.starts_with("step ")) return;
    if (planned == 0) planned = steps();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  const auto reached = go().end.state.step;
  EXPECT_THAT(log.text(), HasSubstr(fmt::format("training.max_steps is now {}", steps())));
  EXPECT_LT(steps(), planned);
  EXPECT_LE(reached, steps());
}

TEST_F(AutoMaxSteps, ReportsOneEstimateInADryRun) {
  config.training.max_minutes = 0.2;
  const CapturedLog log;
  const auto report = dry_run({.config = config, .name = "test"});
  std::smatch planned;
  const auto text = log.text();
  ASSERT_TRUE(std::regex_search(text, planned, std::regex("training.max_steps: (\\d+), for")));
  EXPECT_THAT(report, HasSubstr(planned[1].str() + " updates, including validations; a run "
                                                   "measures again"));
  EXPECT_THAT(report, testing::Not(HasSubstr("which ends the run near")));
}

TEST_F(AutoMaxSteps, IsRefusedIfTheWarmupNeedsMoreSteps) {
  config.training.warmup_steps = 1000000;
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }),
              HasSubstr("training.max_steps: 0.02 minutes are enough for"));
}

TEST_F(AutoMaxSteps, IsRefusedOnResumeIfTheWarmupNeedsMoreSteps) {
  go();
  config.training.warmup_steps = 1000000;
  EXPECT_THAT(message_of<ConfigError>([&] { go(/*resume=*/true); }),
              testing::AllOf(HasSubstr("warmup_steps"), HasSubstr("automatic")));
}

TEST_F(AutoBatchSize, IsDeterminedInADryRun) {
  EXPECT_THAT(dry_run({.config = config, .name = "test"}), HasSubstr("longest batch"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("run")));
}

}  // namespace
}  // namespace tfm

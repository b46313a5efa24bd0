// Tests training by several ranks against training by one rank that accumulates as many batches.
// run_test.cpp tests training by one rank.
#include "tfm/training/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "multi_process.h"
#include "small_run.h"
#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/run.h"

namespace tfm {
namespace {

TEST(DISABLED_RankBody, Trains) {
  const auto ranks = rank_environment();
  set_log_rank(ranks.rank);
  // At its end, training checks that the parameters of all ranks are equal.
  train({.config = load_config(rank_folder() / "config.yaml"), .name = "ranks", .resume = true},
        ranks);
}

/// Only rank 0 receives the signal, and only rank 0 scores the model. All ranks must still throw
/// Interrupted.
TEST(DISABLED_RankBody, IsInterruptedWhileScoringTheModel) {
  const auto ranks = rank_environment();
  set_log_rank(ranks.rank);
  install_signal_handlers();
  if (ranks.rank == 0) std::raise(SIGTERM);
  EXPECT_THROW(
      train({.config = load_config(rank_folder() / "config.yaml"), .name = "ranks", .resume = true},
            ranks),
      Interrupted);
}

class MultiRank : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_c10d()) GTEST_SKIP() << "built without c10d";
    config.model.dropout = 0;
    config.training.clip_norm = 0.5;
    config.training.accum_count = 2;
    config.training.max_steps = 8;  // beyond the end of an epoch
  }

  /// Starts or resumes a run and returns the weights at its end.
  StateDict train_with(int ranks, const std::string& run, std::int64_t accum_count,
                       std::int64_t max_steps) {
    config.training.run_folder = folder.path(run);
    config.training.accum_count = accum_count;
    config.training.max_steps = max_steps;
    if (ranks > 1) {
      folder.write("config.yaml", write_config(config));
      EXPECT_EQ(run_ranks(ranks, "Trains", folder.path()), 0);
    } else {
      train({.config = config, .name = "one", .resume = true});
    }
    const auto checkpoints = CheckpointStore(folder.path(run)).list();
    if (checkpoints.empty()) return {};
    return read_safetensors(checkpoints.back() / weights_file).tensors;
  }

  TemporaryFolder folder;
  Config config = small_run(folder);
};

double largest_difference(const StateDict& a, const StateDict& b) {
  EXPECT_FALSE(a.empty());
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (const auto& [name, tensor] : a)
    largest = std::max(largest, (tensor - b.at(name)).abs().max().item<double>());
  return largest;
}

/// Adam makes full steps from gradients that are only rounding errors (of key biases, for example),
/// and rounding errors depend on the order of summation. The test therefore uses SGD.
TEST_F(MultiRank, LearnsTheSameWeightsAsOneRankWithAsManyBatches) {
  config.training.optimizer = OptimizerKind::sgd;
  config.training.learning_rate = 0.1;
  const auto six = train_with(1, "one", 6, 8);
  EXPECT_LT(largest_difference(train_with(2, "two", 3, 8), six), 1e-5);
  EXPECT_LT(largest_difference(train_with(3, "three", 2, 8), six), 1e-5);
}

/// The sum of the gradients of two batches does not depend on their order, so Adam can be compared.
TEST_F(MultiRank, LearnsTheSameWeightsWithAdamAsOneRank) {
  EXPECT_LT(largest_difference(train_with(2, "two", 1, 12), train_with(1, "one", 2, 12)), 1e-5);
}

/// Rank 0 makes the shards, and all ranks read them.
TEST_F(MultiRank, LearnsTheSameWeightsFromShards) {
  const auto expected = train_with(2, "two", 1, 8);
  config.data.cache = folder.path("cache");
  EXPECT_EQ(largest_difference(train_with(2, "shards", 1, 8), expected), 0);
}

TEST_F(MultiRank, ResumesWithMoreOrFewerRanks) {
  config.training.optimizer = OptimizerKind::sgd;
  config.training.learning_rate = 0.1;
  train_with(2, "changing", 3, 3);
  train_with(1, "changing", 6, 5);
  const auto changing = train_with(3, "changing", 2, 8);
  EXPECT_LT(largest_difference(changing, train_with(1, "one", 6, 8)), 1e-5);
}

TEST_F(MultiRank, ResumesBitForBit) {
  config.model.dropout = 0.2;
  config.training.batch_size = 70;  // three batches per epoch; an update takes four
  train_with(2, "stopped", 2, 4);
  const auto resumed = train_with(2, "stopped", 2, 8);
  const auto straight = train_with(2, "straight", 2, 8);
  EXPECT_EQ(largest_difference(resumed, straight), 0);
}

TEST_F(MultiRank, UsesDifferentDropoutOnEachRank) {
  config.model.dropout = 0.3;
  // Both ranks see the same batch.
  config.data.train_source = folder.write("same.src", "aaa bbb\naaa bbb\n");
  config.data.train_target = folder.write("same.tgt", "mmm nnn\nmmm nnn\n");
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 1;
  config.training.optimizer = OptimizerKind::sgd;
  const auto two = train_with(2, "two", 1, 1);
  const auto one =
      train_with(1, "one", 1, 1);  // equal to `two` if both ranks used the same dropout
  EXPECT_GT(largest_difference(two, one), 1e-6);
}

TEST_F(MultiRank, ReportsTheBytesThatEachRankSends) {
  train_with(2, "two", 1, 10);
  std::istringstream lines(read_file(folder.path("two") / "metrics.jsonl"));
  int steps = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event["event"] != "step") continue;
    ++steps;
    const auto report = nlohmann::json::parse(read_file(folder.path("two") / report_file));
    // In a ring all-reduce of two ranks, each rank sends every byte of the gradient once.
    const double gradient = 4.0 * report["parameters"].get<double>();
    EXPECT_GT(event["comm_bytes"].get<double>(), gradient);
    EXPECT_LT(event["comm_bytes"].get<double>(), 1.05 * gradient + 100);
    EXPECT_GE(event["comm_wait_seconds"].get<double>(), 0);
  }
  EXPECT_EQ(steps, 2);
}

TEST_F(MultiRank, StopsAllRanksIfRankZeroIsInterruptedWhileScoring) {
  train_with(1, "stopped", 1, 4);
  config.training.best_by = BestBy::loss;
  folder.write("config.yaml", write_config(config));
  EXPECT_EQ(run_ranks(2, "IsInterruptedWhileScoringTheModel", folder.path()), 0);
  EXPECT_EQ(CheckpointStore(folder.path("stopped")).list().back().filename(), "step-00000004");
}

TEST_F(MultiRank, StopsAllRanksWithoutImprovementIfEarlyStoppingIsSet) {
  config.training.learning_rate = 1e-9;  // too small to learn anything
  config.training.early_stopping = 2;
  train_with(2, "two", 1, 400);
  EXPECT_EQ(nlohmann::json::parse(read_file(folder.path("two") / report_file))["finished"],
            "no gain in 2 validations");
}

}  // namespace
}  // namespace tfm

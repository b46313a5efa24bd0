// Tests what runs do when they diverge: roll back to a checkpoint, stop or skip updates. See
// run/divergence.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "captured_log.h"
#include "multi_process.h"
#include "small_run.h"
#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/distributed/process_group.h"
#include "tfm/model/model_files.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/tensor/safetensors.h"
#include "tfm/training/averaging.h"
#include "tfm/training/run.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

/// A run with a valid checkpoint at step 4 and then a learning rate so high that its weights
/// overflow within a few updates.
class DivergenceRecovery : public testing::Test {
 protected:
  DivergenceRecovery() {
    config.training.optimizer = OptimizerKind::sgd;
    config.training.schedule = ScheduleKind::constant;
    config.training.warmup_steps = 1;
    config.training.valid_steps = 0;
    config.training.divergence_patience = 2;
    begin();
  }

  void begin() {
    std::filesystem::remove_all(folder.path("run"));
    config.training.max_steps = 4;
    config.training.learning_rate = 0.01;
    go();
    config.training.max_steps = 30;
    config.training.learning_rate = 1000;
  }
  RunResult go() const { return train({.config = config, .name = "test", .resume = true}); }
  nlohmann::json status() const {
    return nlohmann::json::parse(read_file(folder.path("run") / "status.json"));
  }
  std::vector<nlohmann::json> events(const std::string& kind) const {
    std::vector<nlohmann::json> found;
    std::ifstream metrics(folder.path("run") / "metrics.jsonl");
    for (std::string line; std::getline(metrics, line);) {
      if (const auto event = nlohmann::json::parse(line); event["event"] == kind)
        found.push_back(event);
    }
    return found;
  }
  std::filesystem::path newest() const { return CheckpointStore(folder.path("run")).list().back(); }

  TemporaryFolder folder;
  Config config = small_run(folder);
};

TEST_F(DivergenceRecovery, RollsBackAndContinuesWithALowerRate) {
  config.training.rollback_factor = 1e-5;
  const CapturedLog log;
  const auto end = go().end;
  EXPECT_EQ(end.state.step, 30);
  EXPECT_EQ(end.state.divergence.learning_rate_factor, 1e-5);
  EXPECT_EQ(end.state.divergence.rollbacks, 0) << "reset once training got past the divergence";
  EXPECT_THAT(log.text(), ContainsRegex("is not finite; this update is skipped, number 1 in a row "
                                        ".of the training data: lines? [0-9]"));
  EXPECT_THAT(
      log.text(),
      HasSubstr(
          "step-00000004, continuing with 1e-05 of the learning rate (rollback 1 of at most 3"));
  for (const auto& [name, tensor] : read_safetensors(newest() / weights_file).tensors)
    EXPECT_LT(tensor.abs().max().item<double>(), 100) << name;
  ASSERT_EQ(events("rollback").size(), 1U);
  EXPECT_EQ(events("rollback")[0]["step"], 4);
  EXPECT_GT(events("rollback")[0]["from_step"], 5);
}

TEST_F(DivergenceRecovery, ResumesExactlyAfterARollback) {
  config.training.rollback_factor = 1e-5;
  config.model.dropout = 0.2;
  begin();
  go();
  const auto straight = read_file(newest() / weights_file);
  begin();
  config.training.max_steps = 20;
  go();
  config.training.max_steps = 30;
  EXPECT_EQ(go().end.state.divergence.learning_rate_factor, 1e-5);
  EXPECT_TRUE(read_file(newest() / weights_file) == straight);
}

TEST_F(DivergenceRecovery, StopsIfRollbacksDoNotHelp) {
  const auto message = message_of<ModelError>([&] { go(); });
  EXPECT_THAT(message, AllOf(HasSubstr("diverged"), HasSubstr("after 3 rollbacks without progress"),
                             HasSubstr("lower training.learning_rate")));
  EXPECT_EQ(status()["state"], "failed");
  EXPECT_EQ(status()["exit_code"], 1);
  EXPECT_THAT(status()["reason"].get<std::string>(), HasSubstr("diverged"));
  EXPECT_EQ(newest().filename(), "step-00000004");
  const auto progress = nlohmann::json::parse(read_file(newest() / "progress.json"));
  EXPECT_EQ(progress["learning_rate_factor"], 0.125)
      << "each rollback saves the factor, so that a kill does not lose it";
  config.training.learning_rate = 0.01;
  EXPECT_EQ(go().end.state.step, 30) << "the run resumes from its valid checkpoint";
}

/// The run saves checkpoints and validates between the update whose weights overflowed and the
/// first update whose loss is not finite.
TEST_F(DivergenceRecovery, RollsBackPastCheckpointsWhoseWeightsOverflowed) {
  config.training.rollback_factor = 1e-5;
  config.training.save_steps = config.training.valid_steps = 1;
  config.training.keep_checkpoints = 100;
  begin();
  const auto end = go().end;
  EXPECT_EQ(end.state.step, 30);
  for (const auto& [name, tensor] : read_safetensors(newest() / weights_file).tensors)
    EXPECT_TRUE(tensor.isfinite().all().item<bool>()) << name;
}

/// Training saves checkpoints before it diverges again. They cannot be rollback targets, because
/// their weights lead to the same divergence.
TEST_F(DivergenceRecovery, RollsBackFurtherEachTimeDespiteNewCheckpoints) {
  config.training.save_steps = 1;
  config.training.keep_checkpoints = 100;
  begin();
  const CapturedLog log;
  EXPECT_THROW(go(), ModelError);
  const auto text = log.text();
  const std::regex target("back to [^ ]*step-0*([0-9]+),");
  std::vector<int> targets;
  for (std::sregex_iterator found(text.begin(), text.end(), target), end; found != end; ++found)
    targets.push_back(std::stoi((*found)[1]));
  ASSERT_EQ(targets.size(), 3U);
  EXPECT_GT(targets[0], targets[1]);
  EXPECT_GT(targets[1], targets[2]);
}

TEST_F(DivergenceRecovery, StopsWithoutARollbackIfConfigured) {
  config.training.on_divergence = OnDivergence::stop;
  EXPECT_THAT(message_of<ModelError>([&] { go(); }),
              HasSubstr(": 2 updates in a row had no finite loss or gradient\n"));
}

TEST_F(DivergenceRecovery, SkipsAnyNumberOfUpdatesWithoutStoppingIfConfigured) {
  config.training.on_divergence = OnDivergence::skip;
  EXPECT_GT(go().end.state.divergence.skipped_updates, 2);
  const auto last = events("step").back();
  EXPECT_EQ(last["step"], 30);
  EXPECT_TRUE(last["loss"].is_null())
      << "null, not 0: every update since the last log line was skipped";
}

TEST_F(DivergenceRecovery, WritesAModelIfTheLastUpdatesWereSkipped) {
  config.data.valid_source = config.data.valid_target = "";  // the last weights become the model
  config.training.divergence_patience = 100;
  config.training.max_steps = 30;
  config.training.learning_rate = 1000;
  std::filesystem::remove_all(folder.path("run"));
  config.training.save_steps = 1;
  config.training.keep_checkpoints = 100;
  EXPECT_GT(go().end.state.divergence.skipped_updates, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path("run") / weights_file));
  EXPECT_FALSE(nlohmann::json::parse(read_file(newest() / "progress.json"))["scheduled"]);
  const auto chosen = select_checkpoints(folder.path("run"), {});
  EXPECT_EQ(chosen.size() + 1, CheckpointStore(folder.path("run")).list().size());
  EXPECT_NE(chosen.back(), newest()) << "the average would contain weights that diverged";
}

TEST_F(DivergenceRecovery, StopsIfThereIsNoCheckpointToRollBackTo) {
  std::filesystem::remove_all(folder.path("run"));
  EXPECT_THAT(message_of<ModelError>([&] { go(); }), HasSubstr("no checkpoint to go back to"));
}

TEST(DISABLED_RankBody, Diverges) {
  const auto ranks = rank_environment();
  set_log_rank(ranks.rank);
  train({.config = load_config(rank_folder() / "config.yaml"), .name = "ranks", .resume = true},
        ranks);
}

TEST_F(DivergenceRecovery, RollsBackAllRanksTogether) {
  if (!has_c10d()) GTEST_SKIP() << "built without c10d";
  config.training.rollback_factor = 1e-5;
  folder.write("config.yaml", write_config(config));
  // Training compares the ranks' parameters at its end.
  EXPECT_EQ(run_ranks(2, "Diverges", folder.path()), 0);
  EXPECT_EQ(nlohmann::json::parse(read_file(newest() / "progress.json"))["learning_rate_factor"],
            1e-5);
}

}  // namespace
}  // namespace tfm

// Whole runs with the regularisers for small data: what they must keep of a run's promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "ranks.h"
#include "tfm/config/config_file.h"
#include "tfm/core/files.h"
#include "tfm/core/log.h"
#include "training/small_run.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

struct Option {
  std::string name;
  std::function<void(Config&)> set;
};

const std::vector<Option> options{
    {"RDrop", [](Config& c) { c.training.r_drop = 5; }},
    {"SimCut", [](Config& c) { c.training.simcut = 3, c.training.cut_probability = 0.2; }},
    {"TokenDropout", [](Config& c) { c.training.token_dropout = 0.2; }},
    {"LayerDropout", [](Config& c) { c.model.layer_dropout = 0.4; }},
    {"Average", [](Config& c) { c.training.ema_decay = 0.8; }},
    {"EmbeddingRate", [](Config& c) { c.training.embedding_rate_factor = 0.3; }},
    {"BpeDropout", [](Config& c) { c.data.bpe_dropout = 0.3; }},
    {"BothDirections", [](Config& c) { c.data.bidirectional = true; }},
};

class Regulariser : public testing::TestWithParam<Option> {
 protected:
  Regulariser() {
    config.model.dropout = 0.2;
    config.tokenizer.kind = TokenizerKind::sentencepiece;
    config.tokenizer.joint = true;
    config.tokenizer.vocab_size = 30;
    config.training.best_by = BestBy::loss;
    config.training.save_steps = 7;
  }

  NamedTensors weights_after(const std::string& run, std::int64_t steps) {
    config.training.run_folder = folder.path(run);
    config.training.max_steps = steps;
    config.training.valid_steps = steps == 7 ? 0 : 4;
    train({.config = config, .name = "test", .resume = true});
    auto state = read_safetensors(Checkpoints(folder.path(run)).list().back() / "model.safetensors").tensors;
    auto best = read_safetensors(folder.path(run) / weights_file).tensors;
    for (auto& [name, tensor] : best) state["best." + name] = tensor;
    return state;
  }

  TemporaryFolder folder;
  Config config = small_run(folder);
};
INSTANTIATE_TEST_SUITE_P(Runs, Regulariser, testing::ValuesIn(options), [](const auto& info) { return info.param.name; });

void expect_equal(const NamedTensors& a, const NamedTensors& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(tensor.equal(b.at(name))) << name;
}

bool same(const NamedTensors& a, const NamedTensors& b) {
  return std::ranges::all_of(a, [&](const auto& item) { return item.second.equal(b.at(item.first)); });
}

TEST_P(Regulariser, ChangesTheRun) {
  const auto plain = weights_after("plain", 12);
  GetParam().set(config);
  EXPECT_FALSE(same(weights_after("regularised", 12), plain));
}

/// Twelve updates go over the ends of several epochs; the checkpoint lies within one.
TEST_P(Regulariser, ResumesExactly) {
  GetParam().set(config);
  const auto straight = weights_after("straight", 12);
  weights_after("stopped", 7);
  expect_equal(weights_after("stopped", 12), straight);
}

TEST(DISABLED_Rank, TrainsRegularised) {
  const World world(rank_environment());
  mark_log(world.rank());
  train({.config = load_config(rank_folder() / "config.yaml"), .name = "ranks", .resume = true}, world);  // compares the ranks' parameters at its end
}

TEST_P(Regulariser, LeavesSeveralRanksWithOneModelWhichTheyResumeExactly) {
  if (!has_c10d()) GTEST_SKIP() << "built without c10d";
  GetParam().set(config);
  const auto train_with_two = [&](const std::string& run, std::int64_t steps) {
    config.training.run_folder = folder.path(run);
    config.training.max_steps = steps;
    config.training.valid_steps = 0;
    folder.write("config.yaml", write_config(config));
    EXPECT_EQ(launch_ranks(2, "TrainsRegularised", folder.path()), 0);
    return read_safetensors(Checkpoints(folder.path(run)).list().back() / "model.safetensors").tensors;
  };
  const auto straight = train_with_two("straight", 10);
  train_with_two("stopped", 6);
  expect_equal(train_with_two("stopped", 10), straight);
}

class Averaging : public Regulariser {};
INSTANTIATE_TEST_SUITE_P(Runs, Averaging, testing::Values(options[4]), [](const auto& info) { return info.param.name; });

/// With decay d after n updates the average is sum d^(n-i) w_i / sum d^(n-i): the weights of each update come from its checkpoint.
TEST_P(Averaging, LeavesTheAverageAsTheModelAndTrainsOnWithTheWeights) {
  config.training.save_steps = 1;
  config.training.keep_checkpoints = 100;
  config.data.valid_source = config.data.valid_target = "";  // the last average is the model
  const auto plain = weights_after("plain", 6);
  GetParam().set(config);
  const auto averaged = weights_after("averaged", 6);
  NamedTensors mean;
  double weight = 0;
  for (const auto& checkpoint : Checkpoints(folder.path("averaged")).list()) {
    weight = 0.8 * weight + 1;
    for (const auto& [name, tensor] : read_safetensors(checkpoint / "model.safetensors").tensors) {
      mean[name] = mean.contains(name) ? mean[name] * 0.8 + tensor : tensor.clone();
    }
  }
  for (auto& [name, tensor] : mean) {
    EXPECT_TRUE(averaged.at(name).equal(plain.at(name))) << "training itself is the same: " << name;
    EXPECT_TRUE(averaged.at("best." + name).allclose(tensor / weight, 1e-4, 1e-6)) << name;
    EXPECT_FALSE(averaged.at("best." + name).equal(averaged.at(name))) << name;
  }
}

}  // namespace
}  // namespace tfm

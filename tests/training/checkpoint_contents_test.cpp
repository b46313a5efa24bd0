#include "tfm/training/checkpoint_contents.h"

#include <gtest/gtest.h>

#include "nn/model_fixture.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/run/checkpoint_store.h"

namespace tfm {
namespace {

class CheckpointContents : public testing::Test {
 protected:
  TemporaryFolder folder;
  Transformer model = make_model(small_config());
  Optimizer optimizer{TrainingConfig{}, *model};
  CheckpointStore checkpoints{folder.path()};

  void save(std::int64_t step) {
    TrainerState state;
    state.step = step;
    checkpoints.save(state, [&](const std::filesystem::path& unfinished) {
      write_tensors(unfinished, model, optimizer);
    });
  }
  static void make_step(Transformer& network, Optimizer& steps) {
    network(ids({{3, 4, 2}}), ids({{1, 5}})).sum().backward();
    steps.step(0.01);
    steps.zero_grad();
  }
};

TEST_F(CheckpointContents, RestoresWeightsOptimizerAndRandomGenerators) {
  make_step(model, optimizer);
  save(7);
  const auto random = torch::rand({3});
  make_step(model, optimizer);

  auto other = make_model(small_config(), 99);
  Optimizer others{TrainingConfig{}, *other};
  read_tensors(checkpoints.list().back(), other, others);
  EXPECT_TRUE(torch::rand({3}).equal(random));
  make_step(other, others);
  EXPECT_TRUE(other->parameters()[0].equal(model->parameters()[0]));
}

TEST_F(CheckpointContents, AveragesTheWeightsOfCheckpoints) {
  save(1);
  const auto before = model->parameters()[0].clone();
  make_step(model, optimizer);
  save(2);
  const auto mean = average_weights(checkpoints.list());
  const auto name = model->named_parameters()[0].key();
  EXPECT_LT((mean.at(name) - (before + model->parameters()[0]) / 2).abs().max().item<double>(),
            1e-6);
  EXPECT_GT((before - model->parameters()[0]).abs().max().item<double>(), 1e-3);
}

TEST_F(CheckpointContents, AverageWeightsThrowsIfACheckpointIsCorrupt) {
  save(1);
  std::filesystem::resize_file(checkpoints.list().back() / weights_file, 100);
  EXPECT_THROW(average_weights(checkpoints.list()), ModelError);
}

}  // namespace
}  // namespace tfm

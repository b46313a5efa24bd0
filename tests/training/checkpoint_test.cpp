#include "tfm/training/checkpoint.h"

#include <gtest/gtest.h>

#include "nn/model_fixture.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/core/files.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

class Checkpoint : public testing::Test {
 protected:
  TemporaryFolder folder;
  Transformer model = make_model(small_config());
  Optimizer optimizer{TrainingConfig{}, *model};
  Checkpoints checkpoints{folder.path()};

  void save(std::int64_t step) {
    Progress progress;
    progress.step = step;
    checkpoints.save(progress, model, optimizer, 5);
  }

  void one_step() {
    model(ids({{3, 4, 2}}), ids({{1, 5}})).sum().backward();
    optimizer.step(0.01);
    optimizer.zero_grad();
  }
};

TEST_F(Checkpoint, RestoresWeightsOptimizerProgressAndRandomNumbers) {
  one_step();
  const Progress saved{.step = 7,
                       .position = {2, 3},
                       .seconds = 1.5,
                       .epoch_loss = 2.5,
                       .epoch_tokens = 9,
                       .best_score = 41.5,
                       .best_step = 5,
                       .validations_without_gain = 1,
                       .data_checksum = 77};
  checkpoints.save(saved, model, optimizer, 2);
  const auto random = torch::rand({3});
  one_step();
  const auto expected = model->parameters()[0].clone();

  auto other = make_model(small_config(), 99);
  Optimizer others{TrainingConfig{}, *other};
  const auto progress = Checkpoints::load(checkpoints.list().back(), other, others);
  EXPECT_TRUE(torch::rand({3}).equal(random));
  EXPECT_EQ(progress.step, 7);
  EXPECT_EQ(progress.position.epoch, 2);
  EXPECT_EQ(progress.position.next, 3);
  EXPECT_EQ(progress.best_score, 41.5);
  EXPECT_EQ(progress.best_step, 5);
  EXPECT_EQ(progress.validations_without_gain, 1);
  EXPECT_EQ(progress.data_checksum, 77U);
  model = other;
  other(ids({{3, 4, 2}}), ids({{1, 5}})).sum().backward();
  others.step(0.01);
  EXPECT_TRUE(other->parameters()[0].equal(expected));
}

TEST_F(Checkpoint, DoesNotListWhatWasNotFinished) {
  save(1);
  fs::create_directories(folder.path("checkpoints") / "unfinished-00000002");
  EXPECT_EQ(checkpoints.list().size(), 1U);
}

TEST_F(Checkpoint, SaysWhatIsDamaged) {
  save(1);
  for (const char* name : {"model.safetensors", "optimizer.safetensors", "progress.json"}) {
    const auto file = checkpoints.list().back() / name;
    const auto whole = read_file(file);
    write_file(file, whole.substr(0, whole.size() / 2));
    EXPECT_NE(message_of<ModelError>([&] { Checkpoints::load(checkpoints.list().back(), model, optimizer); }).find(name), std::string::npos);
    write_file(file, whole);
  }
  EXPECT_NO_THROW(Checkpoints::load(checkpoints.list().back(), model, optimizer));
}

TEST_F(Checkpoint, AveragesWeights) {
  save(1);
  const auto before = model->parameters()[0].clone();
  one_step();
  save(2);
  const auto mean = average_weights(checkpoints.list());
  const auto name = model->named_parameters()[0].key();
  EXPECT_LT((mean.at(name) - (before + model->parameters()[0]) / 2).abs().max().item<double>(), 1e-6);
  EXPECT_GT((before - model->parameters()[0]).abs().max().item<double>(), 1e-3);
}

}  // namespace
}  // namespace tfm

#include "tfm/training/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "captured_log.h"
#include "file_size_limit.h"
#include "nn/model_fixture.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class Checkpoint : public testing::Test {
 protected:
  TemporaryFolder folder;
  Transformer model = make_model(small_config());
  Optimizer optimizer{TrainingConfig{}, *model};
  Checkpoints checkpoints{folder.path()};

  void save(std::int64_t step) {
    TrainerState progress;
    progress.step = step;
    checkpoints.save(progress, model, optimizer, {.count = 5});
  }

  /// That nobody asked for.
  void save_another(std::int64_t step) {
    TrainerState progress;
    progress.step = step;
    progress.asked_for = false;
    checkpoints.save(progress, model, optimizer, {.count = 5});
  }

  void one_step() {
    model(ids({{3, 4, 2}}), ids({{1, 5}})).sum().backward();
    optimizer.step(0.01);
    optimizer.zero_grad();
  }
};

TEST_F(Checkpoint, RestoresWeightsOptimizerProgressAndRandomNumbers) {
  one_step();
  const TrainerState saved{
      .step = 7,
      .position = {2, 3},
      .seconds = 1.5,
      .epoch_loss = 2.5,
      .epoch_tokens = 9,
      .report_loss = 1.25,
      .report_tokens = 4,
      .best_score = 41.5,
      .best_step = 5,
      .validations_without_gain = 1,
      .averaged_step = 4,
      .data_fingerprint = 77,
      .metric_fingerprint = 78,
      .asked_for = false,
      .divergence = {.left_out = 2, .rollbacks = 1, .step = 6, .rate_factor = 0.25}};
  checkpoints.save(saved, model, optimizer, {.count = 2});
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
  EXPECT_EQ(progress.report_loss, 1.25);
  EXPECT_EQ(progress.report_tokens, 4);
  EXPECT_EQ(progress.averaged_step, 4);
  EXPECT_EQ(progress.data_fingerprint, 77U);
  EXPECT_EQ(progress.metric_fingerprint, 78U);
  EXPECT_FALSE(progress.asked_for);
  EXPECT_EQ(progress.divergence, saved.divergence);
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

constexpr const char* parts[] = {"model.safetensors", "optimizer.safetensors", "progress.json",
                                 "manifest.json"};

/// What may happen to a file on disk.
const std::map<std::string, std::function<void(const fs::path&)>> harms = {
    {"cut short", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }},
    {"emptied", [](const fs::path& file) { fs::resize_file(file, 0); }},
    {"removed", [](const fs::path& file) { fs::remove(file); }},
    {"one bit flipped",
     [](const fs::path& file) {
       auto bytes = read_file(file);
       // near the end: in a tensor, a number, a name
       bytes[bytes.rfind(file.filename() == "manifest.json" ? "crc32" : "") - 3] ^= 4;
       std::ofstream(file, std::ios::binary) << bytes;
     }},
    {"lengthened", [](const fs::path& file) { std::ofstream(file, std::ios::app) << "}"; }},
};

TEST_F(Checkpoint, SaysWhichFileIsDamaged) {
  for (const auto& [harm, damage] : harms) {
    for (const char* name : parts) {
      save(1);
      const auto checkpoint = checkpoints.list().back();
      EXPECT_NO_THROW(Checkpoints::load(checkpoint, model, optimizer));
      damage(checkpoint / name);
      const auto message =
          message_of<ModelError>([&] { Checkpoints::load(checkpoint, model, optimizer); });
      EXPECT_THAT(message, HasSubstr(name)) << harm;
    }
  }
}

TEST_F(Checkpoint, GoesBackToTheNewestGoodOne) {
  for (const auto& [harm, damage] : harms) {
    for (const char* name : parts) {
      for (const int step : {1, 2, 3}) save(step);
      damage(folder.path("checkpoints/step-00000002") / name);
      damage(folder.path("checkpoints/step-00000003") / name);
      EXPECT_EQ(checkpoints.latest_valid()->filename(), "step-00000001") << harm << " " << name;
      EXPECT_EQ(checkpoints.list().size(), 1U) << "damaged ones no longer count";
      EXPECT_TRUE(fs::exists(folder.path("checkpoints/damaged-step-00000003")));
    }
  }
  save(4);
  EXPECT_EQ(checkpoints.latest_valid()->filename(), "step-00000004");
}

TEST_F(Checkpoint, SaysWhatToDoWhereNoneIsGood) {
  EXPECT_EQ(checkpoints.latest_valid(), std::nullopt);
  save(1);
  save(2);
  for (const auto& checkpoint : checkpoints.list()) fs::remove(checkpoint / "model.safetensors");
  const auto message = message_of<ModelError>([&] { checkpoints.latest_valid(); });
  EXPECT_THAT(message, AllOf(HasSubstr("no checkpoint is good"),
                             HasSubstr("step-00000001/model.safetensors: is missing"),
                             HasSubstr("step-00000002/model.safetensors: is missing"),
                             HasSubstr("begin anew")));
  EXPECT_EQ(checkpoints.list().size(), 2U) << "nothing is touched";
}

TEST_F(Checkpoint, KeepsTheOthersWhereOneCantBeWritten) {
  save(1);
  // what was left is no obstacle
  fs::create_directories(folder.path("checkpoints/unfinished/optimizer.safetensors"));
  save(2);
  EXPECT_EQ(checkpoints.list().size(), 2U);
  {
    // the optimizer is larger
    const FileSizeLimit limit(
        fs::file_size(folder.path("checkpoints/step-00000001/model.safetensors")) + 100);
    EXPECT_THAT(message_of<ModelError>([&] { save(3); }),
                HasSubstr("optimizer.safetensors: could not be written whole: File too large"));
  }
  EXPECT_FALSE(fs::exists(folder.path("checkpoints/unfinished")))
      << "it takes space that others need";
  EXPECT_EQ(checkpoints.latest_valid()->filename(), "step-00000002");
}

TEST_F(Checkpoint, GoesBackPastThoseSavedAmidADivergence) {
  for (const int step : {1, 2, 3}) save(step);
  TrainerState amid;
  amid.step = 4;
  amid.divergence.left_out = 2;
  checkpoints.save(amid, model, optimizer, {.count = 5});
  EXPECT_EQ(checkpoints.go_back()->filename(), "step-00000003");
  EXPECT_EQ(checkpoints.list().size(), 3U) << "the newer one led there";
  EXPECT_EQ(checkpoints.go_back(/*before=*/3)->filename(), "step-00000002");
  EXPECT_EQ(checkpoints.go_back(/*before=*/2)->filename(), "step-00000001");
  EXPECT_EQ(checkpoints.go_back(/*before=*/1)->filename(), "step-00000001")
      << "the oldest there is";
  fs::remove(folder.path("checkpoints/step-00000001/model.safetensors"));
  EXPECT_EQ(checkpoints.go_back(), std::nullopt);
}

TEST_F(Checkpoint, SavedAmidADivergencePushesNoGoodOneOut) {
  save(1);
  TrainerState amid;
  amid.divergence.left_out = 1;
  for (const int step : {2, 3}) {
    amid.step = step;
    checkpoints.save(amid, model, optimizer, {.count = 1});
  }
  EXPECT_EQ(checkpoints.go_back()->filename(), "step-00000001");
}

TEST_F(Checkpoint, StaysWholeWhenItsProgressIsRewritten) {
  save(1);
  TrainerState progress;
  progress.step = 1;
  progress.best_score = 7;
  checkpoints.save_progress(progress);
  EXPECT_EQ(Checkpoints::load(*checkpoints.latest_valid(), model, optimizer).best_score, 7);
}

/// A full disk on the way: a kill would leave the same.
TEST_F(Checkpoint, StaysWholeWhereItsProgressCantBeRewritten) {
  save(1);
  TrainerState progress;
  progress.step = 1;
  progress.best_score = 7;
  {
    const FileSizeLimit limit(10);
    EXPECT_THROW(checkpoints.save_progress(progress), ModelError);
  }
  EXPECT_EQ(Checkpoints::load(*checkpoints.latest_valid(), model, optimizer).best_score,
            std::nullopt);
}

TEST_F(Checkpoint, IsNoCopyThatSomebodyMade) {
  save(1);
  for (const auto* copy : {"step-00000001.bak", "step-good", "step-"}) {
    fs::copy(folder.path("checkpoints/step-00000001"), folder.path("checkpoints") / copy,
             fs::copy_options::recursive);
  }
  save(2);
  EXPECT_EQ(checkpoints.list().size(), 2U);
  EXPECT_TRUE(fs::exists(folder.path("checkpoints/step-00000001.bak")));
}

/// A kill amid save_progress where the file system can't exchange folders.
TEST_F(Checkpoint, IsFoundWhereAKillLeftItUnderTheNameOfWhatIsReplaced) {
  save(1);
  fs::rename(folder.path("checkpoints/step-00000001"),
             folder.path("checkpoints/before-step-00000001"));
  checkpoints.recover();
  EXPECT_EQ(checkpoints.latest_valid().value_or("none").filename(), "step-00000001");
}

TEST_F(Checkpoint, ListsTheGoodOnesThatWereAskedForAndNamesTheDamaged) {
  for (const int step : {1, 2, 3}) save(step);
  save_another(4);
  TrainerState amid;
  amid.step = 5;
  amid.divergence.left_out = 1;
  checkpoints.save(amid, model, optimizer, {.count = 5});
  fs::remove(folder.path("checkpoints/step-00000002/model.safetensors"));
  const CapturedLog log;
  EXPECT_THAT(checkpoints.list_averageable(),
              ElementsAre(folder.path("checkpoints/step-00000001"),
                          folder.path("checkpoints/step-00000003")));
  EXPECT_THAT(log.text(), HasSubstr("step-00000002/model.safetensors: is missing"));
}

TEST_F(Checkpoint, GoesBackToOneThatWasAskedForIfThereIsOne) {
  save(1);
  save_another(2);
  EXPECT_EQ(checkpoints.go_back()->filename(), "step-00000001");
  save_another(3);
  fs::remove_all(folder.path("checkpoints/step-00000001"));
  EXPECT_EQ(checkpoints.go_back()->filename(), "step-00000003");
}

/// Steps that are multiples of three were asked for.
std::vector<std::int64_t> kept(const RetentionPolicy& rule,
                               const std::vector<std::int64_t>& steps) {
  std::vector<RetentionPolicy::Entry> entries;
  for (const auto step : steps) entries.push_back({step, step % 3 == 0});
  return rule.kept(entries);
}

TEST(RetentionPolicy, KeepsTheNewestOnesThatWereAskedFor) {
  EXPECT_THAT(kept({.count = 2}, {3, 6, 9}), ElementsAre(6, 9));
  EXPECT_THAT(kept({.count = 2}, {3, 6, 7}), ElementsAre(3, 6, 7))
      << "one of an interruption pushes none out";
  EXPECT_THAT(kept({.count = 2}, {3, 6, 7, 9}), ElementsAre(6, 9)) << "nor takes the place of one";
  EXPECT_THAT(kept({.count = 2}, {3, 6, 7, 8}), ElementsAre(3, 6, 8));
  EXPECT_THAT(kept({.count = 1}, {4}), ElementsAre(4)) << "the newest stays, whatever it is";
  EXPECT_THAT(kept({.count = 0}, {3, 6}), ElementsAre(6)) << "at least one";
  EXPECT_THAT(kept({.count = 2}, {}), ElementsAre());
}

TEST(RetentionPolicy, KeepsAnotherWhereTheyAreTooFew) {
  EXPECT_THAT(kept({.count = 3}, {3, 4, 6}), ElementsAre(3, 4, 6));
  EXPECT_THAT(kept({.count = 3, .only_asked_for = true}, {3, 4, 6}), ElementsAre(3, 6))
      << "but not in the end";
}

TEST_F(Checkpoint, AveragesWeights) {
  save(1);
  const auto before = model->parameters()[0].clone();
  one_step();
  save(2);
  const auto mean = average_weights(checkpoints.list());
  const auto name = model->named_parameters()[0].key();
  EXPECT_LT((mean.at(name) - (before + model->parameters()[0]) / 2).abs().max().item<double>(),
            1e-6);
  EXPECT_GT((before - model->parameters()[0]).abs().max().item<double>(), 1e-3);
}

}  // namespace
}  // namespace tfm

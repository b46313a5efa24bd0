#include "tfm/training/run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <csignal>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "captured_log.h"
#include "failing_allocator.h"
#include "small_run.h"
#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/training/run_page.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Run : public testing::Test {
 protected:
  TemporaryFolder folder;
  Config config = small_run(folder);

  RunResult go(bool resume = false) const {
    return train({.config = config, .name = "test", .resume = resume});
  }
  StateDict last_weights() const {
    return read_safetensors(Checkpoints(folder.path("run")).list().back() / weights_file).tensors;
  }
  nlohmann::json saved_progress() const {
    return nlohmann::json::parse(
        read_file(Checkpoints(folder.path("run")).list().back() / "progress.json"));
  }
  /// The validations of the run that no end of training added, as they stand in metrics.jsonl.
  std::vector<std::string> validations() const {
    std::vector<std::string> found;
    std::istringstream lines(read_file(folder.path("run") / "metrics.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const auto event = nlohmann::json::parse(line);
      if (event["event"] == "validation" &&
          event["step"].get<int>() % config.training.valid_steps == 0) {
        found.push_back(event["step"].dump() + " " + event["loss"].dump() + " " +
                        event["bleu"].dump());
      }
    }
    return found;
  }
  std::size_t batches_in_an_epoch() const {
    auto one = config;
    one.training.run_folder = folder.path("one epoch");
    one.training.accum_count = 1;
    one.training.log_unit = LogUnit::steps;
    one.training.max_steps = 0;
    one.training.max_epochs = 1;
    const auto steps = train({.config = one, .name = "test"}).end.progress.step;
    fs::remove_all(one.training.run_folder);
    return static_cast<std::size_t>(steps);
  }
  void reset() const { fs::remove_all(folder.path("run")); }
};

void expect_equal(const StateDict& a, const StateDict& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(tensor.equal(b.at(name))) << name;
}

TEST_F(Run, LearnsItsTextByHeart) {
  config.training.max_steps = 400;
  config.training.valid_steps = 100;
  config.training.label_smoothing = 0;
  config.training.best_by = BestBy::loss;
  config.model.dropout = 0;
  const auto result = go();
  auto model = load_model(result.folder, torch::kCPU);
  const auto report = nlohmann::json::parse(read_file(result.folder / report_file));
  // the validation pairs are among the training pairs
  EXPECT_GT(report["validation"]["bleu"].get<double>(), 95);
  EXPECT_LT(report["validation"]["loss"].get<double>(), 0.1);
  EXPECT_EQ(Translator(model, model.config.decoding).translate({"aaa bbb"}).front().text(),
            "mmm nnn");
}

TEST_F(Run, LearnsTheSameFromBatchesThatDoNotFitIntoMemory) {
  config.model.dropout = 0;                        // it draws other numbers for halves
  config.training.optimizer = OptimizerKind::sgd;  // Adam makes whole steps of rounding, too
  config.data.train_source = folder.write("more.src", made_up_text('a', 400));
  config.data.train_target = folder.write("more.tgt", made_up_text('m', 400));
  config.training.batch_size = 4000;
  go();
  const auto expected = last_weights();
  int refused_in_backward = 0;
  for (const int every : {1, 8, 15}) {
    reset();
    // 520 tokens' queries, keys and values: a third of the text's
    const FailingAllocator memory(200'000, every);
    const CapturedLog log;
    go();
    EXPECT_THAT(log.text(), HasSubstr("out of memory in a batch of"));
    refused_in_backward += memory.refused_in_backward();
    const auto found = last_weights();
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, tensor] : expected)
      EXPECT_TRUE(tensor.allclose(found.at(name), 1e-3, 1e-4)) << every << " " << name;
  }
  EXPECT_GT(refused_in_backward, 0);
}

TEST_F(Run, IsTheSameWithGradientCheckpointing) {
  config.model.dropout = 0.2;
  config.training.accum_count = 2;
  go();
  const auto kept = last_weights();
  reset();
  config.training.gradient_checkpointing = true;
  go();
  expect_equal(last_weights(), kept);
}

TEST_F(Run, LeavesAWholeModelFolder) {
  const auto result = go();
  EXPECT_EQ(result.end.reason, "max_steps 12 reached");
  for (const char* file : {"config.yaml", "model.safetensors", "source.vocab", "target.vocab",
                           "report.json", "metrics.jsonl"}) {
    EXPECT_TRUE(fs::exists(result.folder / file)) << file;
  }
  const auto report = nlohmann::json::parse(read_file(result.folder / report_file));
  EXPECT_EQ(report["steps"], 12);
  EXPECT_EQ(report["training_text"]["pairs"], 40);
}

TEST_F(Run, ReportsTheTextAsItsFilesHoldIt) {
  const auto text = [&] {
    return nlohmann::json::parse(read_file(go().folder / report_file))["training_text"];
  };
  config.tokenizer.joint = true;
  const auto one_direction = text();
  reset();
  config.data.bidirectional = true;
  EXPECT_EQ(text(), one_direction);
}

TEST_F(Run, InterruptedAndResumedEqualsNeverInterrupted) {
  config.model.dropout = 0.2;  // random numbers matter
  config.training.accum_count = 2;
  config.training.max_steps = 14;  // across the end of an epoch
  config.training.save_steps = 1;
  go();
  const auto straight = last_weights();
  const auto events = validations();
  reset();
  config.training.max_steps = 3;
  go();
  config.training.max_steps = 14;
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THROW(go(/*resume=*/true), Interrupted);
  clear_interrupt();
  for (const int64_t steps : {7, 8, 14}) {
    config.training.max_steps = steps;
    go(/*resume=*/true);
  }
  expect_equal(last_weights(), straight);
  EXPECT_EQ(validations(), events);
  EXPECT_EQ(Checkpoints(folder.path("run")).list().back().filename(), "step-00000014");
}

/// Every file of the run, by its checksum; without the times in them.
std::map<std::string, std::string> contents(const fs::path& run) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(run)) {
    const std::string name = fs::relative(entry.path(), run);
    const bool tells_time = name == "status.json" || name == "report.json" ||
                            name == "report.html" || name.starts_with("tensorboard/");
    if (!entry.is_regular_file() || name == "lock" || tells_time) continue;
    auto text = read_file(entry.path());
    static const std::regex times(R"re("(seconds|tokens_per_second)": ?[-+.e0-9]+)re");
    if (name.ends_with("metrics.jsonl") || name.ends_with("progress.json"))
      text = std::regex_replace(text, times, "");
    // progress has times in it
    if (name.ends_with("manifest.json"))
      text = nlohmann::json::parse(text)["files"]["optimizer.safetensors"].dump();
    found[name] = fmt::format("{} bytes, crc32 {:08x}", text.size(),
                              crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
  }
  return found;
}

/// Dropout, accumulation over the end of an epoch, early stopping's count, a schedule, a log line
/// every few updates and the mean of checkpoints: N + N updates leave the files that 2 N do.
TEST_F(Run, TwoHalvesLeaveTheVeryFilesOfTheWhole) {
  config.model.dropout = 0.2;
  config.training.batch_size = 70;
  ASSERT_EQ(batches_in_an_epoch() % 2, 1) << "or no update would span two epochs";
  config.training.accum_count = 2;
  config.training.save_steps = 3;
  config.training.valid_steps = 2;
  config.training.early_stopping = 50;
  config.training.keep_checkpoints = 3;
  config.training.average_checkpoints = 3;
  config.training.log_every = 5;
  config.training.schedule = ScheduleKind::sgdr;
  config.training.max_steps = 18;
  go();
  const auto whole = contents(folder.path("run"));
  EXPECT_THAT(whole,
              testing::Contains(testing::Key("checkpoints/step-00000018/optimizer.safetensors")));
  // between lines of the log; at one, saved and not validated; between the last two checkpoints
  for (const int half : {8, 15, 16}) {
    reset();
    install_signal_handlers();
    {
      const CapturedLog log([&](const std::string& line) {
        // of an update or a validation
        if (line.starts_with(fmt::format("step {} ", half))) std::raise(SIGTERM);
      });
      EXPECT_THROW(go(), Interrupted);
    }
    clear_interrupt();
    go(/*resume=*/true);
    EXPECT_EQ(contents(folder.path("run")), whole);
  }
}

/// The last step is saved before it is validated, as it is none of valid_steps' own. Without and
/// with a mean, which is validated then.
TEST_F(Run, ThatIsFinishedAndResumedStaysAsItIs) {
  config.training.save_steps = config.training.keep_checkpoints = 3;
  config.training.valid_steps = 2;
  config.training.max_steps = 9;
  for (const int averaged : {0, 3}) {
    config.training.average_checkpoints = averaged;
    reset();
    const auto end = go().end.progress;
    const auto finished = contents(folder.path("run"));
    const auto saved = saved_progress();
    EXPECT_EQ(saved["validated_step"], 9);
    EXPECT_EQ(saved["best_score"], end.best_score.value());
    EXPECT_EQ(go(/*resume=*/true).end.progress.step, 9);
    EXPECT_EQ(contents(folder.path("run")), finished);
  }
}

TEST_F(Run, CountsNoMeanOfCheckpointsAsAValidationWithoutGain) {
  config.training.average_checkpoints = config.training.keep_checkpoints = 3;
  config.training.save_steps = 1;
  config.training.valid_steps = 12;
  config.training.max_steps = 12;
  config.training.learning_rate = 1e-9;  // all are the same model
  EXPECT_EQ(go().end.progress.validations_without_gain, 0);
}

TEST_F(Run, SavesAndThrowsWhenInterrupted) {
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THROW(go(), Interrupted);
  clear_interrupt();
  EXPECT_EQ(Checkpoints(folder.path("run")).list().size(), 1U);
  EXPECT_FALSE(saved_progress()["asked_for"])
      << "else the mean of checkpoints would hold the weights that the run began with";
  EXPECT_EQ(go(/*resume=*/true).end.progress.step, 12);
}

TEST_F(Run, BeginsWithTheValidationThatASignalCutShort) {
  config.training.valid_at_start = true;
  config.training.valid_steps = 2;
  go();
  const auto straight = validations();
  ASSERT_EQ(straight.size(), 7U);
  const auto model = folder.path("run") / weights_file;
  install_signal_handlers();
  for (const bool at_the_end : {false, true}) {
    at_the_end ? fs::remove_all(model) : fs::remove_all(folder.path("run"));
    std::raise(SIGTERM);
    EXPECT_THROW(go(/*resume=*/at_the_end), Interrupted);
    EXPECT_FALSE(fs::exists(model));
    clear_interrupt();
    go(/*resume=*/true);
    EXPECT_EQ(validations(), straight);
    EXPECT_TRUE(fs::exists(model));
  }
}

/// A validation may be long: whoever ends the process in it, and does not wait, must not undo the
/// updates before it.
TEST_F(Run, SavesBeforeItValidates) {
  config.training.valid_steps = config.training.max_steps = 12;
  const auto result = go();
  ASSERT_EQ(result.end.progress.best_step, 12);
  const auto checkpoint = Checkpoints(result.folder).list().back();
  EXPECT_LT(fs::last_write_time(checkpoint / weights_file),
            fs::last_write_time(result.folder / weights_file));
}

TEST_F(Run, GoesBackToNoWeightsWithoutAScore) {
  config.training.learning_rate = 1e30;
  config.training.valid_steps = config.training.warmup_steps = config.training.max_steps = 1;
  const CapturedLog log;
  EXPECT_THROW(go(), Error);  // no model came of it
  EXPECT_THAT(log.text(), HasSubstr("step 1: no validation:"));
  EXPECT_FALSE(saved_progress()["asked_for"].get<bool>());
}

TEST_F(Run, KeepsItsLastGoodCheckpointWhereTheEndHasNoScore) {
  config.training.keep_checkpoints = 1;
  for (const int last : {9, 12}) {  // 12 is one of valid_steps
    reset();
    config.training.max_steps = 8;
    config.training.learning_rate = 0.01;
    go();
    config.training.max_steps = last;
    // which no file may say: the config is refused when it is read, at the end
    config.training.learning_rate = 1e30;
    EXPECT_THROW(go(/*resume=*/true), ConfigError);
    EXPECT_THAT(Checkpoints(folder.path("run")).list_averageable(),
                testing::ElementsAre(folder.path("run/checkpoints/step-00000008")))
        << last;
    config.training.learning_rate = 0.01;
    folder.write("run/config.yaml", write_config(config));
    go(/*resume=*/true);
    EXPECT_THAT(Checkpoints(folder.path("run")).list_averageable(),
                testing::ElementsAre(folder.path("run/checkpoints/step-00000008")))
        << last << ": a resumed run knows as well";
  }
}

TEST_F(Run, SaysHowToGoOnWhereItsLastScoreIsInterrupted) {
  install_signal_handlers();
  {
    const CapturedLog log([](const std::string& line) {
      // training is over; the model is scored for the report
      if (line.starts_with("step 12  validation:")) std::raise(SIGTERM);
    });
    EXPECT_THAT(message_of<Interrupted>([&] { go(); }),
                testing::AllOf(HasSubstr("everything is saved in"), HasSubstr("--resume")));
  }
  clear_interrupt();
  EXPECT_EQ(go(/*resume=*/true).end.progress.step, 12);
}

TEST_F(Run, GoesOnWhereTheBestModelIsGone) {
  const auto weights = go().folder / weights_file;
  fs::remove(weights);
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("the next validation is the best so far"));
  EXPECT_TRUE(fs::exists(weights));
}

TEST_F(Run, BeginsWhereThereIsNothingToResume) {
  EXPECT_EQ(go(/*resume=*/true).end.progress.step, 12);
}

TEST_F(Run, RefusesAFolderThatHoldsARun) {
  go();
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }), HasSubstr("holds a run already"));
}

TEST_F(Run, RefusesAFolderThatHoldsSomebodysConfig) {
  fs::create_directory(folder.path("run"));
  folder.write("run/config.yaml", "# written by hand");
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }), HasSubstr("holds a run already"));
  EXPECT_EQ(folder.read("run/config.yaml"), "# written by hand");
}

TEST_F(Run, RefusesToResumeWithAnotherModel) {
  go();
  config.model.transformer_ff = 32;
  config.training.learning_rate = 0.02;  // this one may change
  const auto message = message_of<ConfigError>([&] { go(/*resume=*/true); });
  EXPECT_THAT(message,
              HasSubstr("\n  field                 then  now\n  model.transformer_ff  64    32\n"));
  EXPECT_THAT(message, testing::Not(HasSubstr("learning_rate")));
}

TEST_F(Run, ShowsWhatChangedSinceTheLastSession) {
  config.training.max_steps = 4;
  go();
  config.training.max_steps = 5;
  config.training.learning_rate = 0.02;
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("changed since the last session:"
                                    "\n  field                   then  now"
                                    "\n  training.learning_rate  0.01  0.02"
                                    "\n  training.max_steps      4     5\n"));
}

TEST_F(Run, GoesOnFromTheLastGoodCheckpoint) {
  config.training.save_steps = 2;
  config.training.keep_checkpoints = 4;
  go();
  const auto expected = last_weights();
  const auto checkpoints = folder.path("run") / "checkpoints";
  write_file(checkpoints / "step-00000012/model.safetensors", std::string(100, 'x'));
  fs::remove(checkpoints / "step-00000010/optimizer.safetensors");
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("damaged checkpoint: " +
                                    (checkpoints / "step-00000012/model.safetensors").string() +
                                    ": has 100 bytes"));
  EXPECT_THAT(log.text(), HasSubstr("damaged checkpoint: " +
                                    (checkpoints / "step-00000010/optimizer.safetensors").string() +
                                    ": is missing"));
  EXPECT_THAT(log.text(), HasSubstr("going on from " + (checkpoints / "step-00000008").string()));
  expect_equal(last_weights(), expected);
}

/// A run that stops amid an epoch.
class ResumeWithChanges : public Run {
 protected:
  ResumeWithChanges() {
    config.training.max_steps = 13;
    position = go().end.progress.position;
    config.training.max_steps = 14;
  }
  void SetUp() override { ASSERT_GT(position.next, 0) << "it stopped at the end of an epoch"; }
  void expect_new_epoch() const {
    const CapturedLog log;
    const auto after = go(/*resume=*/true).end.progress.position;
    EXPECT_EQ(after.epoch, position.epoch + 1);
    EXPECT_EQ(after.next, 1);
    EXPECT_THAT(log.text(), HasSubstr("going on with a new epoch"));
  }
  DataPosition position;
};

TEST_F(ResumeWithChanges, BeginsANewEpochWhereTheTextChanged) {
  folder.write("train.src", made_up_text('a', 38));
  folder.write("train.tgt", made_up_text('m', 38));
  expect_new_epoch();
}

TEST_F(ResumeWithChanges, BeginsANewEpochWhereBatchesAreMadeOtherwise) {
  config.training.batch_size = 30;
  expect_new_epoch();
}

TEST_F(ResumeWithChanges, GoesOnInItsEpochWhereNothingChanged) {
  const CapturedLog log;
  EXPECT_EQ(go(/*resume=*/true).end.progress.position.next, position.next + 1);
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("new epoch")));
}

/// BLEU against the negated loss: no model to come could be better.
TEST_F(ResumeWithChanges, ForgetsTheBestScoreWhereAnotherMeasureDecides) {
  config.training.best_by = BestBy::loss;
  const CapturedLog log;
  const auto progress = go(/*resume=*/true).end.progress;
  EXPECT_EQ(progress.best_step, 14);
  EXPECT_LT(progress.best_score.value(), 0);
  EXPECT_THAT(log.text(), HasSubstr("how a model is scored on it, changed"));
  EXPECT_THAT(read_file(folder.path("run") / "metrics.jsonl"), HasSubstr(R"({"event":"measure")"));
}

TEST_F(ResumeWithChanges, ForgetsTheBestScoreWhereAnotherSearchTranslates) {
  config.decoding.batch_size = 100;  // changes no translation
  config.training.learning_rate = 1e-9;
  const auto best = go(/*resume=*/true).end.progress.best_score.value();
  EXPECT_EQ(best, saved_progress()["best_score"]);
  config.training.max_steps = 15;
  config.decoding.max_length = 1;
  EXPECT_LT(go(/*resume=*/true).end.progress.best_score.value(), best);
}

/// What another measure makes incomparable is not worthless: worse weights must not take the
/// model's place.
TEST_F(ResumeWithChanges, KeepsTheModelThatAnotherMeasureFindsBetterAsWell) {
  const auto weights = [&] { return read_safetensors(folder.path("run") / weights_file).tensors; };
  const auto kept = weights();
  const auto best_step = saved_progress()["best_step"].get<std::int64_t>();
  config.training.best_by = BestBy::loss;
  config.training.learning_rate = 100;  // the end of what was learnt
  const auto progress = go(/*resume=*/true).end.progress;
  EXPECT_EQ(progress.best_step, best_step);
  const auto report = nlohmann::json::parse(read_file(folder.path("run") / report_file));
  EXPECT_EQ(progress.best_score.value(), -report["validation"]["loss"].get<double>());
  expect_equal(weights(), kept);
  EXPECT_EQ(read_run(folder.path("run")).best_step, best_step);
}

/// The best model, scored by another measure and validated once more, is no validation without
/// gain.
TEST_F(Run, LosesNoPatienceToAnotherMeasure) {
  config.training.max_steps = config.training.valid_steps = 4;
  go();
  config.training.best_by = BestBy::loss;
  config.training.early_stopping = 1;
  config.training.max_steps = 8;
  EXPECT_EQ(go(/*resume=*/true).end.progress.step, 8);
}

TEST_F(Run, LearnsTheSameWhateverItIsScoredBy) {
  config.model.dropout = 0.2;
  config.training.max_steps = 5;
  const auto learnt = [&](BestBy by) {
    reset();
    config.training.best_by = BestBy::bleu;
    config.training.max_steps = 5;
    go();
    config.training.best_by = by;
    config.training.max_steps = 7;
    go(/*resume=*/true);
    return last_weights();
  };
  const auto as_before = learnt(BestBy::bleu);
  expect_equal(learnt(BestBy::loss), as_before);
}

TEST_F(ResumeWithChanges, GoesOnWhereTheModelToScoreByAnotherMeasureIsDamaged) {
  config.training.best_by = BestBy::loss;
  folder.write("run/model.safetensors", "damaged");
  const CapturedLog log;
  EXPECT_EQ(go(/*resume=*/true).end.progress.best_step, 14);
  EXPECT_THAT(log.text(), HasSubstr("the run's model so far has no score"));
}

TEST_F(ResumeWithChanges, SaysHowToGoOnWhereScoringByAnotherMeasureIsInterrupted) {
  config.training.best_by = BestBy::loss;
  const auto before = saved_progress();
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THAT(message_of<Interrupted>([&] { go(/*resume=*/true); }),
              testing::AllOf(HasSubstr("interrupted at step 13"), HasSubstr("--resume")));
  clear_interrupt();
  EXPECT_EQ(saved_progress(), before);
  EXPECT_EQ(go(/*resume=*/true).end.progress.step, 14);
}

TEST_F(ResumeWithChanges, KeepsTheBestScoreWhereNothingChanged) {
  const double best = saved_progress()["best_score"];
  config.training.learning_rate = 1e-9;  // the model to come is no better
  const CapturedLog log;
  const auto progress = go(/*resume=*/true).end.progress;
  EXPECT_EQ(progress.best_score, best);
  EXPECT_LT(progress.best_step, 14);
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("how a model is scored")));
  EXPECT_THAT(read_file(folder.path("run") / "metrics.jsonl"), testing::Not(HasSubstr("measure")));
}

TEST_F(Run, GoesOnWithoutTheModelThatItBeganWith) {
  config.training.max_steps = 4;
  go();
  fs::rename(folder.path("run"), folder.path("origin"));
  config.training.init_from = folder.path("origin").string();
  go();
  fs::remove_all(folder.path("origin"));
  config.training.max_steps = 6;
  EXPECT_EQ(go(/*resume=*/true).end.progress.step, 6);
}

TEST_F(Run, TakesAFolderInWhichNothingWasTrained) {
  config.training.max_steps = TrainingConfig::automatic_steps;
  config.training.max_minutes = 0.01;
  config.training.schedule = ScheduleKind::cosine;
  config.training.warmup_steps = 1000000;
  EXPECT_THROW(go(), ConfigError);  // told by the first updates only
  config.training.warmup_steps = 1;
  EXPECT_GT(go().end.progress.step, 0);
}

/// The mean of the last three checkpoints, each at a step that the config asks for, is the model
/// where it scores better.
TEST_F(Run, AveragesItsLastCheckpoints) {
  config.training.max_steps = 60;
  config.training.valid_steps = config.training.save_steps = 10;
  config.training.keep_checkpoints = config.training.average_checkpoints = 3;
  config.training.learning_rate = 0.1;  // jumps about, so that a mean is better
  config.training.schedule = ScheduleKind::constant;
  config.training.best_by = BestBy::loss;
  go();
  const auto mean = average_weights(Checkpoints(folder.path("run")).list());
  expect_equal(read_safetensors(folder.path("run") / weights_file).tensors, mean);
}

TEST_F(Run, AveragesAgainWhereAnotherMeasureDecides) {
  config.training.save_steps = 3;
  config.training.keep_checkpoints = config.training.average_checkpoints = 3;
  go();
  config.training.best_by = BestBy::loss;
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("average of the last 3 checkpoints"));
}

TEST_F(Run, AveragesWithoutADamagedCheckpoint) {
  config.training.valid_steps = config.training.save_steps = 4;
  config.training.keep_checkpoints = config.training.average_checkpoints = 3;
  config.training.max_steps = 11;
  go();
  write_file(folder.path("run") / "checkpoints/step-00000008/model.safetensors", "x");
  config.training.max_steps = 12;
  const CapturedLog log;
  EXPECT_EQ(go(/*resume=*/true).end.progress.step, 12);
  EXPECT_THAT(log.text(), HasSubstr("average of the last 2 checkpoints"));
}

/// A word whose embedding is infinite: no batch with it has a finite loss, and only those. Nothing
/// of them reaches the weights.
TEST_F(Run, LeavesOutBatchesWithoutAFiniteLossAndNamesTheirLines) {
  config.training.max_steps = 1;
  go();
  fs::rename(folder.path("run"), folder.path("origin"));
  const auto file = folder.path("origin") / weights_file;
  auto weights = read_safetensors(file).tensors;
  const auto tokenizer = load_tokenizers(config.tokenizer, folder.path("origin")).source;
  const auto bad = tokenizer->encode("aaa").front();
  weights.at("source_embedding.weight")[bad] = std::numeric_limits<float>::infinity();
  write_safetensors(file, weights);
  config.training.init_from = folder.path("origin").string();
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 1;
  config.training.on_divergence = OnDivergence::ignore;
  config.data.valid_source.clear();
  config.data.valid_target.clear();
  config.training.valid_steps = 0;
  config.training.max_steps = 0;
  config.training.max_epochs = 1;
  const CapturedLog log;
  go();
  std::istringstream source(made_up_text('a', 40));
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    const auto named = fmt::format(
        "the loss is not finite; this update is left out, number [0-9]+ in a row .of the training "
        "text: line {}\\)",
        ++number);
    EXPECT_EQ(std::regex_search(log.text(), std::regex(named)), line.find("aaa") != line.npos)
        << number;
  }
  for (const auto& [name, tensor] : last_weights()) {
    const auto finite = tensor.isfinite();
    EXPECT_TRUE(
        (name == "source_embedding.weight" ? finite.narrow(0, 0, bad) : finite).all().item<bool>())
        << name;
  }
  for (const auto& [name, tensor] :
       read_safetensors(Checkpoints(folder.path("run")).list().back() / "optimizer.safetensors")
           .tensors) {
    EXPECT_TRUE(!tensor.is_floating_point() || tensor.isfinite().all().item<bool>()) << name;
  }
}

TEST_F(Run, SaysThatItsFolderCantBeMade) {
  config.training.run_folder = "/proc/tfm-run";  // not even by root
  EXPECT_THAT(message_of<ModelError>([&] { go(); }), HasSubstr("/proc/tfm-run: can't be created"));
}

TEST_F(Run, TriesAtItsStartWhatItWillDo) {
  config.training.save_steps = 0;
  config.training.valid_steps = 0;
  const CapturedLog log([&](const std::string& line) {
    if (!line.starts_with("trying the longest batch")) return;
    fs::create_directories(folder.path("run/preflight/some"));
    folder.write("run/preflight/some/checkpoints", "no folder");
  });
  EXPECT_THAT(message_of<ModelError>([&] { go(); }), HasSubstr("preflight/some/checkpoints"));
  EXPECT_FALSE(fs::exists(folder.path("run/preflight")));
}

TEST_F(Run, KeepsAModelWhoseCheckpointsAreGone) {
  go();
  fs::remove_all(folder.path("run") / "checkpoints");
  EXPECT_THAT(message_of<ConfigError>([&] { go(/*resume=*/true); }),
              HasSubstr("no checkpoint to go on from"));
}

TEST_F(Run, LeavesNoFolderBehindWhereTheTextIsWrong) {
  config.data.valid_source = folder.path("none");
  EXPECT_THROW(go(), DataError);
  EXPECT_FALSE(fs::exists(folder.path("run")));
}

TEST_F(Run, LogsEveryEpochEvenWhereAnUpdateSpansTwo) {
  config.training.log_unit = LogUnit::epochs;
  config.training.log_every = 1;
  config.training.batch_size = 70;
  ASSERT_EQ(batches_in_an_epoch() % 2, 1);
  config.training.accum_count = 2;
  config.training.max_steps = 0;
  config.training.max_epochs = 3;
  const auto lines = [&] {
    std::size_t lines = 0;
    std::istringstream metrics(read_file(folder.path("run") / "metrics.jsonl"));
    for (std::string line; std::getline(metrics, line);)
      lines += line.find("\"event\":\"epoch\"") != line.npos;
    return lines;
  };
  go();
  EXPECT_EQ(lines(), 3U);
  config.training.log_every = 2;
  config.training.max_epochs = 6;
  // 3, 6: past 2 and 4, and at 6
  config.training.accum_count = static_cast<std::int64_t>(3 * batches_in_an_epoch());
  reset();
  go();
  EXPECT_EQ(lines(), 2U);
}

TEST_F(Run, AccumulatedBatchesEqualOneLargeBatch) {
  config.model.dropout = 0;
  config.training.optimizer = OptimizerKind::sgd;
  config.training.shuffle = false;
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 20;
  config.training.max_steps = 4;
  go();
  const auto whole = last_weights();
  reset();
  config.training.batch_size = 5;
  config.training.accum_count = 4;
  go();
  for (const auto& [name, tensor] : last_weights())
    EXPECT_LT((tensor - whole.at(name)).abs().max().item<double>(), 1e-5) << name;
}

TEST_F(Run, StopsEarlyWithoutGain) {
  config.training.learning_rate = 1e-9;  // nothing is learnt
  config.training.best_by = BestBy::bleu;
  config.training.early_stopping = 2;
  config.training.max_steps = 400;
  const auto result = go();
  EXPECT_EQ(result.end.reason, "no gain in 2 validations");
  EXPECT_EQ(result.end.progress.step, 12);
}

TEST_F(Run, StopsAtItsEpochLimit) {
  config.training.max_steps = 0;
  config.training.max_epochs = 2;
  const auto result = go();
  EXPECT_EQ(result.end.progress.position.epoch, 2);
  EXPECT_EQ(result.end.progress.position.next, 0);
}

TEST_F(Run, KeepsTheLastCheckpointsOnly) {
  config.training.save_steps = 2;
  config.training.keep_checkpoints = 3;
  go();
  std::vector<std::string> names;
  for (const auto& checkpoint : Checkpoints(folder.path("run")).list())
    names.push_back(checkpoint.filename());
  EXPECT_THAT(names, testing::ElementsAre("step-00000008", "step-00000010", "step-00000012"));
}

TEST_F(Run, TrainsWithoutValidationText) {
  config.data.valid_source.clear();
  config.data.valid_target.clear();
  const auto result = go();
  EXPECT_TRUE(fs::exists(result.folder / weights_file));
}

TEST_F(Run, TheBestModelIsTheOneThatScoredBest) {
  config.training.max_steps = 60;
  config.training.valid_steps = 10;
  config.training.best_by = BestBy::loss;
  const auto result = go();
  double best = 1e9;
  std::int64_t best_step = 0;
  std::istringstream lines(read_file(result.folder / "metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event["event"] == "validation" && event["loss"] < best) {
      best = event["loss"];
      best_step = event["step"];
    }
  }
  EXPECT_EQ(result.end.progress.best_step, best_step);
  EXPECT_NEAR(nlohmann::json::parse(read_file(result.folder / report_file))["validation"]["loss"]
                  .get<double>(),
              best, 1e-6);
}

TEST_F(Run, AsksForTrainingText) {
  config.data.train_source.clear();
  config.data.train_target.clear();
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }), HasSubstr("no training text"));
}

TEST_F(Run, SavesByTheClock) {
  config.training.valid_steps = 0;
  config.training.save_minutes = 1e-6;  // every update
  config.training.keep_checkpoints = 100;
  go();
  EXPECT_EQ(Checkpoints(folder.path("run")).list().size(), 12u);
}

TEST_F(Run, BeginsWithTheWeightsOfAnotherModel) {
  go();
  const auto first = load_model(folder.path("run"), torch::kCPU);
  config.training.init_from = folder.path("run").string();
  config.training.run_folder = folder.path("second").string();
  config.training.learning_rate = 1e-12;  // stays where it begins
  config.training.best_by = BestBy::loss;
  config.model.dropout = 0.3;  // may differ: no weight depends on it
  go();
  const auto second = load_model(folder.path("second"), torch::kCPU);
  for (const auto& item : first.network->named_parameters()) {
    EXPECT_TRUE(
        item.value().allclose(*second.network->named_parameters().find(item.key()), 0, 1e-7))
        << item.key();
  }
  EXPECT_EQ(first.tokenizers.source->size(), second.tokenizers.source->size());
}

TEST_F(Run, RefusesToBeginWithAnotherKindOfModel) {
  go();
  config.training.init_from = folder.path("run").string();
  config.training.run_folder = folder.path("second").string();
  config.model.transformer_ff = 128;
  EXPECT_THROW(go(), ConfigError);
  config.training.init_from = folder.path("nowhere").string();
  EXPECT_THROW(go(), ConfigError);
  EXPECT_FALSE(fs::exists(folder.path("second")));
}

TEST_F(Run, FixedLengthTrainsAsDynamicPaddingDoes) {
  config.model.dropout = config.model.embedding_dropout = 0;
  // Adam would blow up the rounding noise of gradients that are zero
  config.training.optimizer = OptimizerKind::sgd;
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 40;  // one batch holds all, so both see the same
  go();
  const auto expected = last_weights();
  reset();
  config.data.fixed_length = 9;
  go();
  for (const auto& [name, tensor] : last_weights())
    EXPECT_TRUE(tensor.allclose(expected.at(name), 1e-3, 1e-4)) << name;
}

TEST_F(Run, ReportsTheHeadThatAlignsBest) {
  config.training.max_steps = 300;
  config.training.valid_steps = 300;
  config.model.dropout = 0;
  config.data.valid_alignment = folder.write("valid.align", [] {
    std::string lines;
    std::istringstream text(made_up_text('a', 10));
    for (std::string line; std::getline(text, line);) {
      for (std::ptrdiff_t word = 0; word <= std::count(line.begin(), line.end(), ' '); ++word)
        lines += fmt::format("{0}-{0} ", word);
      lines += "\n";
    }
    return lines;
  }());
  const auto result = go();
  const auto report = nlohmann::json::parse(read_file(result.folder / report_file));
  EXPECT_LT(report["alignment"]["error_rate"].get<double>(), 0.5);
  const auto model = load_model(result.folder, torch::kCPU);
  ASSERT_TRUE(model.best_alignment_head.has_value());
  EXPECT_EQ(to_string(*model.best_alignment_head), report["alignment"]["head"].get<std::string>());
  folder.write("valid.align", "0-0\n");
  reset();
  EXPECT_THROW(go(), DataError) << "one alignment for ten lines";
}

TEST_F(Run, LearnsInBf16AsInFp32) {
  config.training.max_steps = 400;
  config.training.valid_steps = 0;
  config.training.label_smoothing = 0;
  config.model.dropout = 0;
  const auto loss = [&](Precision precision) {
    config.training.precision = precision;
    reset();
    return nlohmann::json::parse(read_file(go().folder / report_file))["validation"]["loss"]
        .get<double>();
  };
  EXPECT_LT(loss(Precision::bf16), 0.1);
  EXPECT_LT(loss(Precision::fp32), 0.1);
}

TEST_F(Run, ResumesExactlyInBf16) {
  config.training.precision = Precision::bf16;
  config.training.save_steps = 7;
  go();
  const auto expected = last_weights();
  reset();
  config.training.max_steps = 7;
  config.training.valid_steps = 0;
  go();
  config.training.max_steps = 12;
  config.training.valid_steps = 4;
  go(/*resume=*/true);
  expect_equal(last_weights(), expected);
}

}  // namespace
}  // namespace tfm

// Tests runs that resume with another config, corpus or metric, or that start from another model or
// in a folder with files.
#include <csignal>

#include "captured_log.h"
#include "run_fixture.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/model/manifest.h"
#include "tfm/model/model_folder.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/training/run.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void expect_almost_equal_weights(const TranslationModel& first, const TranslationModel& second) {
  for (const auto& item : first.network->named_parameters()) {
    EXPECT_TRUE(
        item.value().allclose(*second.network->named_parameters().find(item.key()), 0, 1e-7))
        << item.key();
  }
}

TEST_F(Run, RefusesToResumeWithAnotherModel) {
  go();
  config.model.transformer_ff = 32;
  config.training.learning_rate = 0.02;  // may change when a run resumes
  const auto message = message_of<ConfigError>([&] { go(/*resume=*/true); });
  EXPECT_THAT(
      message,
      HasSubstr("\n  field                 before  after\n  model.transformer_ff  64      32\n"));
  EXPECT_THAT(message, testing::Not(HasSubstr("learning_rate")));
}

TEST_F(Run, LogsSettingsThatChangedSinceTheLastSession) {
  config.training.max_steps = 4;
  go();
  config.training.max_steps = 5;
  config.training.learning_rate = 0.02;
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("changed since the last session:"
                                    "\n  field                   before  after"
                                    "\n  training.learning_rate  0.01    0.02"
                                    "\n  training.max_steps      4       5\n"));
}

TEST_F(Run, KeepsTheMetricIfBleuTokenizerChangesFromAutoToItsResolvedValue) {
  std::string chinese;
  for (int i = 0; i < 10; ++i) chinese += "我喜欢吃苹果\n";
  folder.write("valid.tgt", chinese);
  const auto resume_with = [&](BleuTokenizer tokenizer) {
    ++config.training.max_steps;
    config.training.bleu_tokenizer = tokenizer;
    go(/*resume=*/true);
    return read_file(folder.path("run") / "metrics.jsonl");
  };
  config.training.max_steps = 4;
  go();
  EXPECT_THAT(resume_with(BleuTokenizer::zh), testing::Not(HasSubstr("metric_changed")));
  EXPECT_THAT(resume_with(BleuTokenizer::mteval_13a), HasSubstr("metric_changed"));
}

/// A run that stops in the middle of an epoch.
class ResumeWithChanges : public Run {
 protected:
  ResumeWithChanges() {
    config.training.max_steps = 13;
    position = go().end.state.position;
    config.training.max_steps = 14;
  }
  void SetUp() override { ASSERT_GT(position.next, 0) << "it stopped at the end of an epoch"; }
  void expect_new_epoch() const {
    const CapturedLog log;
    const auto after = go(/*resume=*/true).end.state.position;
    EXPECT_EQ(after.epoch, position.epoch + 1);
    EXPECT_EQ(after.next, 1);
    EXPECT_THAT(log.text(), HasSubstr("continuing with a new epoch"));
  }
  DataPosition position;
};

TEST_F(ResumeWithChanges, StartsANewEpochIfTheDataChanged) {
  folder.write("train.src", made_up_text('a', 38));
  folder.write("train.tgt", made_up_text('m', 38));
  expect_new_epoch();
}

TEST_F(ResumeWithChanges, StartsANewEpochIfTheBatchingChanged) {
  config.training.batch_size = 30;
  expect_new_epoch();
}

TEST_F(ResumeWithChanges, ContinuesTheEpochIfNothingChanged) {
  const CapturedLog log;
  EXPECT_EQ(go(/*resume=*/true).end.state.position.next, position.next + 1);
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("new epoch")));
}

/// If the former BLEU score were compared with negated losses, no later model could be better.
TEST_F(ResumeWithChanges, ResetsTheBestScoreIfTheFieldBestByChanged) {
  config.training.best_by = BestBy::loss;
  const CapturedLog log;
  const auto progress = go(/*resume=*/true).end.state;
  EXPECT_EQ(progress.best_step, 14);
  EXPECT_LT(progress.best_score.value(), 0);
  EXPECT_THAT(log.text(), HasSubstr("the validation data or the metric changed"));
  EXPECT_THAT(read_file(folder.path("run") / "metrics.jsonl"),
              HasSubstr(R"({"event":"metric_changed")"));
}

TEST_F(ResumeWithChanges, KeepsTheMetricIfBleuTokenizerChangesFromAutoTo13aButNotToChar) {
  config.training.bleu_tokenizer = BleuTokenizer::mteval_13a;
  go(/*resume=*/true);
  const auto metrics = [&] { return read_file(folder.path("run") / "metrics.jsonl"); };
  EXPECT_THAT(metrics(), testing::Not(HasSubstr("metric_changed")));
  config.training.max_steps = 15;
  config.training.bleu_tokenizer = BleuTokenizer::character;
  go(/*resume=*/true);
  EXPECT_THAT(metrics(), testing::AllOf(HasSubstr(R"({"event":"metric_changed")"),
                                        HasSubstr(R"("bleu_tokenizer":"char")")));
}

TEST_F(ResumeWithChanges, ResetsTheBestScoreIfTheSearchChanged) {
  config.decoding.batch_size = 100;  // does not change translations
  config.training.learning_rate = 1e-9;
  const auto best = go(/*resume=*/true).end.state.best_score.value();
  EXPECT_EQ(best, saved_state()["best_score"]);
  config.training.max_steps = 15;
  config.decoding.max_length = 1;
  EXPECT_LT(go(/*resume=*/true).end.state.best_score.value(), best);
}

/// Resuming a finished run with another metric validates again, but does not train.
TEST_F(ResumeWithChanges, ReplacesTheLastValidationIfTheSearchChanged) {
  config.training.max_steps = 13;
  config.decoding.max_length = 1;
  config.training.valid_steps = 1;  // so that validations() returns every validation
  const auto before = validations();
  go(/*resume=*/true);
  auto after = validations();
  ASSERT_EQ(after.size(), before.size());
  EXPECT_THAT(after.back(), testing::StartsWith("13 "));
  EXPECT_NE(after.back(), before.back());
  after.back() = before.back();
  EXPECT_EQ(after, before);
  const auto bytes = fs::file_size(folder.path("run") / "metrics.jsonl");
  EXPECT_EQ(saved_state()["log_bytes"], bytes);
  go(/*resume=*/true);
  EXPECT_EQ(fs::file_size(folder.path("run") / "metrics.jsonl"), bytes);
}

/// A change of the metric makes scores incomparable, but worse weights must still not replace the
/// model.
TEST_F(ResumeWithChanges, KeepsTheBestModelIfItIsBestByTheNewMetricToo) {
  const auto weights = [&] { return read_safetensors(folder.path("run") / weights_file).tensors; };
  const auto kept = weights();
  const auto best_step = saved_state()["best_step"].get<std::int64_t>();
  config.training.best_by = BestBy::loss;
  config.training.learning_rate = 100;  // so high that training ruins the weights
  const auto progress = go(/*resume=*/true).end.state;
  EXPECT_EQ(progress.best_step, best_step);
  const auto report = nlohmann::json::parse(read_file(folder.path("run") / report_file));
  EXPECT_EQ(progress.best_score.value(), -report["validation"]["loss"].get<double>());
  expect_equal(weights(), kept);
  EXPECT_EQ(read_run(folder.path("run")).best_step, best_step);
}

TEST_F(ResumeWithChanges, RenamesACorruptModel) {
  folder.write("run/model.safetensors", "damaged");
  const CapturedLog log;
  EXPECT_EQ(go(/*resume=*/true).end.state.best_step, 14);
  EXPECT_THAT(log.text(), HasSubstr("model.safetensors: has 7 bytes instead of"));
  EXPECT_EQ(read_file(folder.path("run/damaged-model.safetensors")), "damaged");
}

TEST_F(ResumeWithChanges, ContinuesIfAModelWithoutManifestIsCorrupt) {
  config.training.best_by = BestBy::loss;
  std::filesystem::remove(folder.path("run") / manifest_file);
  folder.write("run/model.safetensors", "damaged");
  const CapturedLog log;
  EXPECT_EQ(go(/*resume=*/true).end.state.best_step, 14);
  EXPECT_THAT(log.text(), HasSubstr("the best model has no score"));
}

TEST_F(ResumeWithChanges, SaysHowToResumeIfRescoringIsInterrupted) {
  config.training.best_by = BestBy::loss;
  const auto before = saved_state();
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THAT(message_of<Interrupted>([&] { go(/*resume=*/true); }),
              testing::AllOf(HasSubstr("interrupted at step 13"), HasSubstr("--resume")));
  clear_interrupt();
  EXPECT_EQ(saved_state(), before);
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 14);
}

TEST_F(ResumeWithChanges, KeepsTheBestScoreIfNothingChanged) {
  const double best = saved_state()["best_score"];
  config.training.learning_rate = 1e-9;  // so low that later models are not better
  const CapturedLog log;
  const auto progress = go(/*resume=*/true).end.state;
  EXPECT_EQ(progress.best_score, best);
  EXPECT_LT(progress.best_step, 14);
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("the metric changed")));
  EXPECT_THAT(read_file(folder.path("run") / "metrics.jsonl"),
              testing::Not(HasSubstr("metric_changed")));
}

TEST_F(Run, LearnsTheSameWeightsIfTheMetricChanges) {
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

TEST_F(Run, ResumesIfTheModelInTheFieldInitFromWasRemoved) {
  config.training.max_steps = 4;
  go();
  fs::rename(folder.path("run"), folder.path("origin"));
  config.training.init_from = folder.path("origin").string();
  go();
  fs::remove_all(folder.path("origin"));
  config.training.max_steps = 6;
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 6);
}

TEST_F(Run, StartsWithTheWeightsOfTheModelInTheFieldInitFrom) {
  go();
  const auto first = load_model(folder.path("run"), torch::kCPU);
  config.training.init_from = folder.path("run").string();
  config.training.run_folder = folder.path("second").string();
  config.training.learning_rate = 1e-12;  // so low that the weights hardly change
  config.training.best_by = BestBy::loss;
  config.model.dropout = 0.3;  // may differ, because it does not affect the shapes of weights
  go();
  const auto second = load_model(folder.path("second"), torch::kCPU);
  expect_almost_equal_weights(first, second);
  EXPECT_EQ(first.tokenizers.source->size(), second.tokenizers.source->size());
}

TEST_F(Run, AcceptsACheckpointInTheFieldInitFrom) {
  go();
  const auto checkpoint = CheckpointStore(folder.path("run")).list().front();
  const auto first = load_model(checkpoint, torch::kCPU);
  config.training.init_from = checkpoint.string();
  config.training.run_folder = folder.path("second").string();
  config.training.learning_rate = 1e-12;  // so low that the weights hardly change
  go();
  const auto second = load_model(folder.path("second"), torch::kCPU);
  expect_almost_equal_weights(first, second);
}

/// The run's model uses the config.yaml, so a config with an error must not replace it.
TEST_F(Run, KeepsItsConfigIfResumingWithAnotherIsRefused) {
  go();
  const auto before = folder.read("run/config.yaml");
  config.training.max_steps = 14;
  config.decoding.stop_token = "no such token";
  EXPECT_THROW(go(/*resume=*/true), ConfigError);
  EXPECT_EQ(folder.read("run/config.yaml"), before);
  config.decoding.stop_token = "";
  go(/*resume=*/true);
  EXPECT_THAT(folder.read("run/config.yaml"), HasSubstr("max_steps: 14"));
}

TEST_F(Run, RefusesAMissingModelOrAnotherArchitectureInTheFieldInitFrom) {
  go();
  config.training.init_from = folder.path("run").string();
  config.training.run_folder = folder.path("second").string();
  config.model.transformer_ff = 128;
  EXPECT_THROW(go(), ConfigError);
  config.training.init_from = folder.path("nowhere").string();
  EXPECT_THROW(go(), ConfigError);
  EXPECT_FALSE(fs::exists(folder.path("second")));
}

TEST_F(Run, RefusesToResumeIfTheFolderHasAModelButNoCheckpoints) {
  go();
  fs::remove_all(folder.path("run") / "checkpoints");
  EXPECT_THAT(message_of<ConfigError>([&] { go(/*resume=*/true); }),
              HasSubstr("no checkpoint to resume from"));
}

TEST_F(Run, RefusesAFolderThatContainsARun) {
  go();
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }), HasSubstr("already contains a run"));
}

TEST_F(Run, RefusesAFolderWithAHandWrittenConfig) {
  fs::create_directory(folder.path("run"));
  folder.write("run/config.yaml", "# written by hand");
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }), HasSubstr("already contains a run"));
  EXPECT_EQ(folder.read("run/config.yaml"), "# written by hand");
}

TEST_F(Run, AcceptsAFolderInWhichNothingWasTrained) {
  config.training.max_steps = TrainingConfig::automatic_steps;
  config.training.max_minutes = 0.01;
  config.training.schedule = ScheduleKind::cosine;
  config.training.warmup_steps = 1000000;
  EXPECT_THROW(go(), ConfigError);  // thrown only after updates were timed
  config.training.warmup_steps = 1;
  EXPECT_GT(go().end.state.step, 0);
}

}  // namespace
}  // namespace tfm

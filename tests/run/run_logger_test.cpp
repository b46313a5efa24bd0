#include "tfm/run/run_logger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "captured_log.h"
#include "run/run_events.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/run/run_page_file.h"
#include "tfm/run/run_status.h"

namespace tfm {
namespace {

using testing::EndsWith;

/// A run with an empty log, whose state changes as in the trainer.
struct LoggedRun {
  LoggedRun() { log.begin(); }

  void validate(std::int64_t step, double bleu, bool best = true) {
    state.step = step;
    state.validated_step = step;
    auto event = log.validation(
        state, {.scores = {.loss = 2, .bleu = bleu, .chrf = 3}, .hypotheses = {}}, best);
    if (best) {
      state.best_step = step;
      state.best_event = std::move(event);
    }
  }
  TrainerState checkpoint() {
    auto saved = state;
    saved.log_bytes = log.bytes();
    return saved;
  }
  TrainerState former_checkpoint() const {
    auto saved = state;
    saved.best_event.clear();
    return saved;
  }
  std::string metrics() const { return folder.read("metrics.jsonl"); }

  TemporaryFolder folder;
  RunLogger log{folder.path()};
  TrainerState state;
};

TEST(RunLogger, ShowsOneSampleAndTheOthersOnlyWhenVerbose) {
  LoggedRun run;
  const Sample sample{.source = "eins", .reference = "one", .hypothesis = "two"};
  const Validation validation{.scores = {}, .hypotheses = {}, .samples = {sample, sample, sample}};
  const auto shown = [&](spdlog::level::level_enum level) {
    const CapturedLog log;
    logger()->set_level(level);
    run.log.validation(run.state, validation, /*best=*/true);
    const std::regex source("source     eins");
    const auto& text = log.text();
    return std::distance(std::sregex_iterator(text.begin(), text.end(), source),
                         std::sregex_iterator());
  };
  EXPECT_EQ(shown(spdlog::level::info), 1);
  EXPECT_EQ(shown(spdlog::level::debug), 3);
  EXPECT_NE(run.metrics().find(R"("samples":[{)"), std::string::npos);
}

/// A rollback removes the event of the best model's validation, but the model remains the best.
/// This also holds after a second rollback.
TEST(RunLogger, RollbackEventContainsABestValidationThatWasRemovedFromTheFile) {
  LoggedRun run;
  std::vector<TrainerState> checkpoints;
  for (const int step : {5, 6, 7, 9}) {
    run.validate(step, 10.0 + step, /*best=*/step == 5 || step == 7);
    checkpoints.push_back(run.checkpoint());
  }
  const auto best = run.state.best_event;
  for (const auto& target : {checkpoints[1], checkpoints[0]}) {
    run.state = run.log.resume(target, /*model_exists=*/true);
    run.state.best_event = best;
    run.state.divergence = {.rollbacks = 1, .step = 10, .learning_rate_factor = 0.5};
    run.log.rollback(run.state, /*from=*/10);
    EXPECT_EQ(read_run(run.folder.path()).best_step, 7) << target.step;
    EXPECT_THAT(run.metrics(),
                EndsWith(R"("learning_rate_factor":0.5,"best_validation":)" + best + "}\n"));
  }
  run.validate(8, 20);
  EXPECT_EQ(read_run(run.folder.path()).best_step, 8);
}

TEST(RunLogger, RollbackEventOmitsABestValidationThatIsStillInTheFile) {
  LoggedRun run;
  run.validate(5, 10);
  run.log.rollback(run.state, /*from=*/9);
  EXPECT_THAT(run.metrics(), EndsWith(R"("from_step":9,"learning_rate_factor":1.0})"
                                      "\n"));
}

TEST(RunLogger, RecordsAMetricChange) {
  LoggedRun run;
  run.validate(5, 10);
  const auto before = run.metrics();
  run.state.best_event.clear();
  run.log.metric_changed(run.state, 7, 8);
  EXPECT_EQ(run.metrics(),
            before + R"({"event":"metric_changed","step":5,"before":"00000007","now":"00000008"})" +
                "\n");
  run.state.best_event =
      best_validation_event(4, {.scores = {.loss = 2, .bleu = 30, .chrf = 3}, .hypotheses = {}});
  run.log.metric_changed(run.state, 8, 7);
  EXPECT_THAT(run.metrics(), EndsWith(R"("before":"00000008","now":"00000007","best_validation":)" +
                                      run.state.best_event + "}\n"));
  EXPECT_EQ(read_run(run.folder.path()).best_step, 4);
}

/// A finished run that is resumed with another metric validates its last step again.
TEST(RunLogger, RemovesTheValidationByTheFormerMetric) {
  LoggedRun run;
  run.validate(4, 10);
  const auto first = run.metrics();
  run.validate(5, 10);
  EXPECT_FALSE(run.log.replaces_validation(5));
  run.log.metric_changed(run.state, 7, 8);
  EXPECT_TRUE(run.log.replaces_validation(5));
  EXPECT_FALSE(run.log.replaces_validation(6));
  run.validate(5, 20, /*best=*/false);
  run.log.drop_replaced_validation(5);
  EXPECT_FALSE(run.log.replaces_validation(5));
  const auto after = run.metrics();
  EXPECT_THAT(after, testing::StartsWith(first + R"({"event":"metric_changed")"));
  EXPECT_THAT(after, EndsWith(R"({"event":"validation","step":5,"loss":2.0,"bleu":20.0,"chrf":3.0,)"
                              R"("best":false})"
                              "\n"));
  EXPECT_EQ(std::ranges::count(after, '\n'), 3);
}

TEST(RunLogger, RecordsTheFactsOfASessionOnlyIfTheyChanged) {
  const TemporaryFolder folder;
  RunFacts facts{.tfm = "0.1.0", .device = "cpu", .pairs = 10};
  const auto events = [&] {
    std::vector<std::string> kinds;
    for_each_event(folder.path(), [&](const nlohmann::ordered_json& event, const std::string&) {
      kinds.push_back(event.value("event", "") + " " + event.value("device", ""));
    });
    return kinds;
  };
  TrainerState state;
  RunLogger first(folder.path(), /*writes=*/true, facts);
  first.begin();
  state.step = 5;
  first.epoch(state);
  state.log_bytes = first.bytes();
  const auto resume = [&] {
    RunLogger(folder.path(), /*writes=*/true, facts).resume(state, /*model_exists=*/true);
  };
  resume();
  EXPECT_THAT(events(), testing::ElementsAre("run cpu", "epoch "));
  facts.device = "cuda:0";
  resume();
  resume();
  EXPECT_THAT(events(), testing::ElementsAre("run cpu", "epoch ", "run cuda:0"));
}

/// A session reads the file when it resumes and for the page of each validation.
TEST(RunLogger, WarnsOnceOfAnEventWithAFieldOfTheWrongType) {
  for (const bool model_exists : {true, false}) {
    LoggedRun run;
    write_file(run.folder.path("metrics.jsonl"), R"({"event":"step","step":"three"})"
                                                 "\n" +
                                                     run.metrics());
    run.validate(4, 10);
    const CapturedLog log;
    RunLogger resumed(run.folder.path(), /*writes=*/true, RunFacts{.tfm = "0.1.0"});
    resumed.resume(run.checkpoint(), model_exists);
    for (int i = 0; i < 2; ++i)
      resumed.validation(run.state, {.scores = {}, .hypotheses = {}}, /*best=*/true);
    const std::regex warning("metrics.jsonl:1: this event is ignored");
    const auto& text = log.text();
    EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), warning),
                            std::sregex_iterator()),
              1)
        << model_exists;
  }
}

TEST(RunLogger, KeepsWritingEventFilesToAnExistingTensorboardFolder) {
  for (const bool former : {false, true}) {
    const TemporaryFolder folder;
    if (former) std::filesystem::create_directory(folder.path("tensorboard"));
    RunLogger log(folder.path());
    log.begin();
    log.resume({}, /*model_exists=*/true);
    int files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder.path(former ? "tensorboard" : ".")))
      files += entry.path().filename().string().starts_with("events.out.tfevents.") ? 1 : 0;
    EXPECT_EQ(files, 2);
    EXPECT_EQ(std::filesystem::exists(folder.path("tensorboard")), former);
  }
}

/// The checkpoint contains the length of metrics.jsonl, so resuming does not parse the lines.
TEST(RunLogger, ResumeTruncatesToTheLengthInTheCheckpoint) {
  LoggedRun run;
  run.validate(5, 10);
  write_file(run.folder.path("metrics.jsonl"), run.metrics() + "not JSON\n");
  const auto checkpoint = run.checkpoint();
  const auto first = run.metrics();
  run.log.metric_changed(run.state, 7, 8);
  run.validate(5, 90);
  run.validate(6, 10);
  EXPECT_EQ(run.log.resume(checkpoint, /*model_exists=*/true), checkpoint);
  EXPECT_EQ(run.metrics(), first);
}

/// A power failure may truncate metrics.jsonl to less than the length in the checkpoint.
TEST(RunLogger, ResumeKeepsCompleteLinesIfTheMetricsFileIsShorterThanTheCheckpointSays) {
  LoggedRun run;
  run.validate(4, 10);
  const auto first = run.metrics();
  run.validate(5, 10);
  const auto checkpoint = run.checkpoint();
  std::filesystem::resize_file(run.folder.path("metrics.jsonl"), first.size() + 10);
  EXPECT_EQ(run.log.resume(checkpoint, /*model_exists=*/true), checkpoint);
  EXPECT_EQ(run.metrics(), first);
}

/// A session used another metric and was killed before it saved a checkpoint, so its scores do not
/// belong to the existing checkpoint. Former versions called the event metric_changed "measure".
TEST(RunLogger, ResumeDropsEventsByAnotherMetricIfTheCheckpointHasNoLogLength) {
  for (const std::string event : {"metric_changed", "measure"}) {
    LoggedRun run;
    run.state.fingerprints.metric = 7;
    run.validate(5, 10);
    const auto first = run.metrics();
    const auto best = run.state.best_event;
    run.log.metric_changed(run.state, 7, 8);
    run.validate(5, 90);
    const auto all = std::regex_replace(run.metrics(), std::regex("metric_changed"), event);
    write_file(run.folder.path("metrics.jsonl"), all);
    for (const std::uint32_t known : {0, 8}) {
      auto checkpoint = run.former_checkpoint();
      checkpoint.fingerprints.metric = known;
      EXPECT_EQ(run.log.resume(checkpoint, /*model_exists=*/true).best_event, run.state.best_event);
      EXPECT_EQ(run.metrics(), all) << known;
    }
    EXPECT_EQ(run.log.resume(run.former_checkpoint(), /*model_exists=*/true).best_event, best);
    EXPECT_EQ(run.metrics(), first) << event;
  }
}

/// A run validates again if it was killed after it logged a validation and before it saved the
/// result, or if its model is missing.
TEST(RunLogger, ResumeRemovesAValidationThatWillBeRepeated) {
  for (const bool former : {false, true}) {
    LoggedRun run;
    run.validate(4, 10);
    const auto first = run.metrics();
    run.state.step = 8;
    run.state.epoch = {3, 1};
    run.log.epoch(run.state);
    const auto second = run.metrics();
    const auto saved = former ? run.former_checkpoint() : run.checkpoint();
    run.validate(8, 10);
    const auto validated = former ? run.former_checkpoint() : run.checkpoint();
    const auto all = run.metrics();
    run.log.resume(validated, /*model_exists=*/true);
    EXPECT_EQ(run.metrics(), all);
    run.log.resume(validated, /*model_exists=*/false);
    EXPECT_EQ(run.metrics(), second);
    write_file(run.folder.path("metrics.jsonl"), all);
    run.log.resume(saved, /*model_exists=*/true);
    EXPECT_EQ(run.metrics(), second);
    auto earlier = saved;
    earlier.step = 7;
    earlier.log_bytes.reset();
    run.log.resume(earlier, /*model_exists=*/true);
    EXPECT_EQ(run.metrics(), first);
  }
}

TEST(RunLogger, DescribesAStepWithTheKnownTotalsOfStepsAndEpochs) {
  TrainerState state;
  StepMetrics report;
  report.max_steps = 662;
  report.max_epochs = 10;
  state.step = 324;
  state.position = {.epoch = 1, .next = 7};
  EXPECT_THAT(describe(state, report), testing::StartsWith("step 324/662  epoch 2/10  loss "));
  EXPECT_THAT(describe(state, {}), testing::StartsWith("step 324  epoch 2  loss "));
}

/// metrics.jsonl and status.json show the same epoch number.
TEST(RunLogger, CountsEpochsFromOne) {
  LoggedRun run;
  run.state.step = 8;
  run.state.position = {.epoch = 1, .next = 0};  // the first epoch has just ended
  run.log.step(run.state, {});
  run.state.epoch = {3, 1};
  run.log.epoch(run.state);
  run.state.step = 9;
  run.state.position.next = 1;
  run.log.step(run.state, {});
  EXPECT_THAT(run.metrics(), testing::HasSubstr(R"("event":"step","step":8,"epoch":1,)"));
  EXPECT_THAT(run.metrics(), testing::HasSubstr(R"("event":"epoch","step":8,"epoch":1,)"));
  EXPECT_THAT(run.metrics(), testing::HasSubstr(R"("event":"step","step":9,"epoch":2,)"));
  RunStatus status(run.folder.path());
  status.start(-1);
  status.saved(run.state);
  EXPECT_EQ(read_status(run.folder.path())->epoch, 2);
}

TEST(RunLogger, WritesNoFilesOnRanksOtherThanZero) {
  const TemporaryFolder folder;
  RunLogger log(folder.path(), /*writes=*/false);
  log.begin();
  log.epoch({});
  EXPECT_EQ(log.bytes(), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(folder.path("metrics.jsonl")));
}

}  // namespace
}  // namespace tfm

#include "tfm/training/run_logger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/training/run_page.h"

namespace tfm {
namespace {

/// A log that begins.
struct Begun {
  Begun() { log.truncate_after(-1); }

  void validate(std::int64_t step, double bleu, bool best = true) {
    progress.step = step;
    log.validation(
        progress,
        {.loss = 2, .bleu = bleu, .chrf = 3, .hypotheses = {}, .samples = {}, .others = {}}, best);
  }
  std::string metrics() const { return folder.read("metrics.jsonl"); }

  TemporaryFolder folder;
  RunLogger log{folder.path()};
  TrainerState progress;
};

/// The best model outlives its validation's line, which going back cuts off; also when training
/// goes back twice, or on from there.
TEST(RunLogger, KnowsTheBestValidationAfterARollback) {
  Begun run;
  auto& [folder, log, progress] = run;
  EXPECT_EQ(log.best_validation(), "");
  for (const int step : {5, 7, 9}) run.validate(step, 10.0 + step, /*best=*/step < 9);
  for (const int target : {6, 5}) {
    const auto best = log.best_validation();
    log.truncate_after(target);
    progress.step = target;
    progress.divergence = {.left_out = 0, .rollbacks = 1, .step = 10, .rate_factor = 0.5};
    log.rollback(progress, /*from=*/10, best);
    EXPECT_EQ(read_run(folder.path()).best_step, 7) << target;
  }
  run.validate(8, 20);
  EXPECT_EQ(read_run(folder.path()).best_step, 8);
}

/// A change is told once, whatever the checkpoint says that training goes on from: a session before
/// may have told it.
TEST(RunLogger, TellsOfAnotherMeasureOnce) {
  Begun run;
  auto& [folder, log, progress] = run;
  run.validate(5, 10);
  const auto before = run.metrics();
  log.measure(progress, /*before=*/0, /*now=*/7, "");
  log.measure(progress, 7, 7, "");
  EXPECT_EQ(run.metrics(), before) << "unknown, and the same";
  EXPECT_NE(log.best_validation(), "");
  log.measure(progress, 7, 8, "");
  log.measure(progress, 7, 8, "");
  EXPECT_EQ(run.metrics(),
            before + R"({"event":"measure","step":5,"before":"00000007","now":"00000008"})" + "\n");
  EXPECT_EQ(log.best_validation(), "");
  const auto kept = RunLogger::best_event(
      4, {.loss = 2, .bleu = 30, .chrf = 3, .hypotheses = {}, .samples = {}, .others = {}});
  log.measure(progress, 7, 7, kept);
  EXPECT_THAT(run.metrics(),
              testing::EndsWith(R"("before":"00000008","now":"00000007","best_validation":)" +
                                kept + "}\n"));
  EXPECT_EQ(log.best_validation(), kept);
  EXPECT_EQ(read_run(folder.path()).best_step, 4);
}

/// A session with another measure that was killed before it saved: its scores are none of the
/// checkpoint's.
TEST(RunLogger, ForgetsAMeasureThatTheCheckpointDoesNotKnow) {
  Begun run;
  auto& [folder, log, progress] = run;
  run.validate(5, 10);
  const auto first = run.metrics();
  log.measure(progress, 7, 8, "");
  run.validate(5, 90);
  const auto all = run.metrics();
  for (const std::uint32_t known : {0, 8}) {
    log.truncate_after(5, {.measure = known});
    EXPECT_EQ(run.metrics(), all) << known;
  }
  log.truncate_after(5, {.measure = 7});
  EXPECT_EQ(run.metrics(), first);
}

/// A run that was killed when its validation stood in the log, and not yet in the checkpoint,
/// validates again.
TEST(RunLogger, ForgetsAValidationThatIsToComeOnceMore) {
  Begun run;
  auto& [folder, log, progress] = run;
  run.validate(4, 10);
  const auto first = run.metrics();
  progress.step = 8;
  log.epoch(progress, 3);
  const auto second = run.metrics();
  run.validate(8, 10);
  const auto all = run.metrics();
  log.truncate_after(8);
  EXPECT_EQ(run.metrics(), all);
  log.truncate_after(8, {.validated = false});
  EXPECT_EQ(run.metrics(), second);
  log.truncate_after(7, {.validated = false});
  EXPECT_EQ(run.metrics(), first);
}

}  // namespace
}  // namespace tfm

#include "tfm/training/run_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/training/run_page.h"

namespace tfm {
namespace {

/// The best model outlives its validation's line, which going back cuts off; also when training goes back twice, or on from there.
TEST(RunLog, KnowsTheBestValidationAfterARollback) {
  const TemporaryFolder folder;
  RunLog log(folder.path());
  log.cut_after(-1);
  EXPECT_EQ(log.best_validation(), "");
  Progress progress;
  for (const int step : {5, 7, 9}) {
    progress.step = step;
    log.validation(progress, {.loss = 2, .bleu = 10.0 + step, .chrf = 3, .hypotheses = {}, .samples = {}, .others = {}}, /*best=*/step < 9);
  }
  for (const int target : {6, 5}) {
    const auto best = log.best_validation();
    log.cut_after(target);
    progress.step = target;
    progress.divergence = {.left_out = 0, .rollbacks = 1, .step = 10, .rate_factor = 0.5};
    log.rollback(progress, /*from=*/10, best);
    EXPECT_EQ(read_run(folder.path()).best_step, 7) << target;
  }
  progress.step = 8;
  log.validation(progress, {.loss = 2, .bleu = 20, .chrf = 3, .hypotheses = {}, .samples = {}, .others = {}}, /*best=*/true);
  EXPECT_EQ(read_run(folder.path()).best_step, 8);
}

/// A change is told once, whatever the checkpoint says that training goes on from: a session before may have told it.
TEST(RunLog, TellsOfAnotherMeasureOnce) {
  const TemporaryFolder folder;
  RunLog log(folder.path());
  log.cut_after(-1);
  Progress progress;
  progress.step = 5;
  log.validation(progress, {.loss = 2, .bleu = 10, .chrf = 3, .hypotheses = {}, .samples = {}, .others = {}}, /*best=*/true);
  const auto before = folder.read("metrics.jsonl");
  log.measure(progress, /*before=*/0, /*now=*/7, "");
  log.measure(progress, 7, 7, "");
  EXPECT_EQ(folder.read("metrics.jsonl"), before) << "unknown, and the same";
  EXPECT_NE(log.best_validation(), "");
  log.measure(progress, 7, 8, "");
  log.measure(progress, 7, 8, "");
  EXPECT_EQ(folder.read("metrics.jsonl"), before + R"({"event":"measure","step":5,"before":"00000007","now":"00000008"})" + "\n");
  EXPECT_EQ(log.best_validation(), "");
  const auto kept = RunLog::best_event(4, {.loss = 2, .bleu = 30, .chrf = 3, .hypotheses = {}, .samples = {}, .others = {}});
  log.measure(progress, 7, 7, kept);
  EXPECT_THAT(folder.read("metrics.jsonl"), testing::EndsWith(R"("before":"00000008","now":"00000007","best_validation":)" + kept + "}\n"));
  EXPECT_EQ(log.best_validation(), kept);
  EXPECT_EQ(read_run(folder.path()).best_step, 4);
}

/// A session with another measure that was killed before it saved: its scores are none of the checkpoint's.
TEST(RunLog, ForgetsAMeasureThatTheCheckpointDoesNotKnow) {
  const TemporaryFolder folder;
  RunLog log(folder.path());
  log.cut_after(-1);
  Progress progress;
  progress.step = 5;
  const auto validate = [&](double bleu) {
    log.validation(progress, {.loss = 2, .bleu = bleu, .chrf = 3, .hypotheses = {}, .samples = {}, .others = {}}, /*best=*/true);
  };
  validate(10);
  const auto first = folder.read("metrics.jsonl");
  log.measure(progress, 7, 8, "");
  validate(90);
  const auto all = folder.read("metrics.jsonl");
  for (const std::uint32_t known : {0, 8}) {
    log.cut_after(5, {.measure = known});
    EXPECT_EQ(folder.read("metrics.jsonl"), all) << known;
  }
  log.cut_after(5, {.measure = 7});
  EXPECT_EQ(folder.read("metrics.jsonl"), first);
}

/// A run that was killed when its validation stood in the log, and not yet in the checkpoint, validates again.
TEST(RunLog, ForgetsAValidationThatIsToComeOnceMore) {
  const TemporaryFolder folder;
  RunLog log(folder.path());
  log.cut_after(-1);
  Progress progress;
  const auto validate = [&](std::int64_t step) {
    progress.step = step;
    log.validation(progress, {.loss = 2, .bleu = 10, .chrf = 3, .hypotheses = {}, .samples = {}, .others = {}}, /*best=*/true);
  };
  validate(4);
  const auto first = folder.read("metrics.jsonl");
  progress.step = 8;
  log.epoch(progress, 3);
  const auto second = folder.read("metrics.jsonl");
  validate(8);
  const auto all = folder.read("metrics.jsonl");
  log.cut_after(8);
  EXPECT_EQ(folder.read("metrics.jsonl"), all);
  log.cut_after(8, {.validated = false});
  EXPECT_EQ(folder.read("metrics.jsonl"), second);
  log.cut_after(7, {.validated = false});
  EXPECT_EQ(folder.read("metrics.jsonl"), first);
}

}  // namespace
}  // namespace tfm

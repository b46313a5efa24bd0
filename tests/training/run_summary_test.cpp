#include "tfm/training/run_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A run that reached its time limit at step 600 of a cosine schedule of 1100 steps.
struct CutRun {
  CutRun() {
    config.training.learning_rate = 0.002;
    config.training.warmup_steps = 100;
    config.training.schedule = ScheduleKind::cosine;
    config.training.max_steps = 1100;
    config.training.max_minutes = 30;
    result.folder = "runs/my run";
    result.end.reason = "max_minutes 30 reached";
    result.end.state.step = 600;
    result.end.state.seconds = 1800;
    result.end.state.best_step = 500;
  }
  Config config;
  RunResult result;
};

TEST(RunSummary, NamesTheModelThePageAndTheNextCommands) {
  const CutRun run;
  const ValidationScores best{.loss = 2, .bleu = 30, .chrf = 50};
  EXPECT_EQ(summarize_run(run.config, run.result, best),
            "finished: max_minutes 30 reached after 30m00s\n"
            "    best model step 500, validation loss 2.0000, BLEU 30.00, chrF2 50.00\n"
            "    folder     runs/my run\n"
            "    page       runs/my run/report.html\n"
            "    schedule   cut short at step 600 of 1100: the learning rate was 1.00e-03 (50% of "
            "the highest), and would have ended at 0\n"
            "    translate  tfm translate -m 'runs/my run' \"...\"\n"
            "    continue   Raise training.max_minutes (30) and use --resume to continue.");
}

TEST(RunSummary, NamesTheStepOfTheLastModelIfThereIsNoValidationData) {
  CutRun run;
  run.result.end.state.best_step = 600;
  EXPECT_THAT(summarize_run(run.config, run.result, std::nullopt),
              HasSubstr("model      step 600, the last (no validation text)"));
}

TEST(DescribeCutSchedule, ReturnsNulloptIfTheScheduleEndedOrHasNoEnd) {
  CutRun run;
  auto& state = run.result.end.state;
  EXPECT_TRUE(describe_cut_schedule(run.config.training, state));
  state.step = 1100;
  EXPECT_FALSE(describe_cut_schedule(run.config.training, state));
  state.step = 600;
  run.config.training.schedule = ScheduleKind::inverse_sqrt;
  EXPECT_FALSE(describe_cut_schedule(run.config.training, state));
}

TEST(ContinueAdvice, NamesTheLimitsThatWereReached) {
  CutRun run;
  auto& state = run.result.end.state;
  run.config.training.early_stopping = 5;
  state.validations_without_improvement = 5;
  state.step = 1100;
  state.seconds = 1800;
  EXPECT_EQ(continue_advice(run.config.training, state, /*has_fitted_steps=*/false),
            "Raise training.max_steps (1100) and training.max_minutes (30) and "
            "training.early_stopping (5) and use --resume to continue.");
  state.seconds = 600;
  EXPECT_THAT(continue_advice(run.config.training, state, false), Not(HasSubstr("max_minutes")));
  state.step = 1200;
  EXPECT_THAT(continue_advice(run.config.training, state, false),
              HasSubstr("Raise training.max_steps (1100) above 1200 and"));
}

TEST(ContinueAdvice, NamesTheMinutesIfTheyDeterminedTheNumberOfUpdates) {
  CutRun run;
  auto& state = run.result.end.state;
  state.step = 1100;
  state.seconds = 1500;
  EXPECT_EQ(
      continue_advice(run.config.training, state, /*has_fitted_steps=*/true),
      "Raise training.max_minutes (30), from which max_steps: auto took the 1100 updates, and "
      "use --resume to continue.");
  state.step = 600;
  state.seconds = 1800;
  EXPECT_EQ(continue_advice(run.config.training, state, /*has_fitted_steps=*/true),
            "Raise training.max_minutes (30) and use --resume to continue. The number of updates "
            "then follows from the time that those of this run took.");
}

TEST(ContinueAdvice, NamesTheEpochsIfTheyDeterminedTheNumberOfUpdates) {
  CutRun run;
  run.config.training.max_epochs = 50;
  auto& state = run.result.end.state;
  state.step = 1100;
  state.seconds = 600;
  state.position = {.epoch = 49, .next = 7};
  EXPECT_EQ(continue_advice(run.config.training, state, /*has_fitted_steps=*/true),
            "Raise training.max_epochs (50), from which max_steps: auto took the 1100 updates, and "
            "use --resume to continue.");
}

TEST(DescribeUnusedTime, ReturnsTheMinutesThatAnotherLimitLeft) {
  CutRun run;
  run.result.has_fitted_steps = true;
  EXPECT_FALSE(describe_unused_time(run.config.training, run.result)) << "the time is over";
  run.result.end.state.seconds = 600;
  EXPECT_EQ(describe_unused_time(run.config.training, run.result),
            "20m00s of the 30 minutes, because another limit ended the run");
  EXPECT_THAT(summarize_run(run.config, run.result, std::nullopt), HasSubstr("unused"));
  run.result.has_fitted_steps = false;
  EXPECT_FALSE(describe_unused_time(run.config.training, run.result));
}

}  // namespace
}  // namespace tfm

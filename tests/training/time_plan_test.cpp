#include "tfm/training/time_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::ElementsAre;

TrainingConfig minutes(double limit) {
  TrainingConfig config;
  config.max_steps = TrainingConfig::automatic_steps;
  config.max_minutes = limit;
  return config;
}

TEST(PlanForMinutes, FillsThePlannedShareWithUpdatesIfNothingElseTakesTime) {
  auto config = minutes(10);
  config.valid_steps = 100;
  config.warmup_steps = 30;
  EXPECT_EQ(plan_for_minutes(config, {.update = 0.5}), (TimePlan{1140, 100, 30, 1140}));
}

TEST(PlanForMinutes, EndsWithTheEpochsIfTheTimeAllowsMore) {
  // 570 s, less ten validations of 1 s, are enough for 1120 updates.
  EXPECT_EQ(plan_for_minutes(minutes(10), {.update = 0.5, .validation = 1}, /*most_steps=*/300),
            (TimePlan{300, 30, 50, 1120}));
  EXPECT_EQ(plan_for_minutes(minutes(10), {.update = 0.5, .validation = 1}, 2000).max_steps, 1120);
}

TEST(PlanForMinutes, LeavesTimeForValidationsAndCheckpoints) {
  auto config = minutes(10);  // 570 seconds are planned
  config.valid_steps = 100;
  config.warmup_steps = 30;
  struct Case {
    TimeCosts costs;
    std::int64_t save_steps, average_checkpoints, steps;
  };
  for (const auto& [costs, save_steps, average, steps] : std::vector<Case>{
           {{.update = 0.5, .validation = 70}, 0, 0, 416},   // 500 / (0.5 + 0.7)
           {{.update = 0.5, .validation = 70}, 0, 2, 358},   // 430 / 1.2: the average is scored too
           {{.update = 0.5, .checkpoint = 20}, 0, 0, 785},   // 550 / (0.5 + 0.2)
           {{.update = 0.5, .checkpoint = 20}, 40, 0, 550},  // 550 / (0.5 + 0.5)
           {{.update = 1000}, 0, 0, 1}}) {
    config.save_steps = save_steps;
    config.average_checkpoints = average;
    EXPECT_EQ(plan_for_minutes(config, costs).max_steps, steps)
        << costs.validation << " " << costs.checkpoint << " " << save_steps << " " << average;
  }
}

TEST(PlanForMinutes, ShortensTheDefaultIntervalsOfAShortRun) {
  // 285 s - 1 s for the last validation - 9 s for the others = 275 s
  EXPECT_EQ(plan_for_minutes(minutes(5), {.update = 0.5, .validation = 1}),
            (TimePlan{550, 55, 91, 550}));
}

TEST(PlanForMinutes, ValidatesRarelyIfAValidationIsSlow) {
  const auto plan = plan_for_minutes(minutes(5), {.update = 0.5, .validation = 30});
  EXPECT_EQ(plan.max_steps, 330) << "285 s without four validations of 30 s";
  EXPECT_EQ(plan.max_steps / plan.valid_steps, fewest_validations - 1);
}

TEST(PlanForMinutes, KeepsTheDefaultIntervalsOfALongRun) {
  const auto plan = plan_for_minutes(minutes(600), {.update = 0.5, .validation = 1});
  EXPECT_GT(plan.max_steps, 60000);
  EXPECT_EQ(plan.valid_steps, TrainingConfig{}.valid_steps);
  EXPECT_EQ(plan.warmup_steps, TrainingConfig{}.warmup_steps);
}

TEST(DescribePlan, NamesTheNumbersThatDiffer) {
  auto config = minutes(5);
  EXPECT_THAT(describe_plan(config, {550, 55, 91, 550}),
              ElementsAre("training.max_steps: 550, for max_minutes 5",
                          "training.valid_steps: 55 instead of 1000, to validate several times",
                          "training.warmup_steps: 91 instead of 4000, a sixth of max_steps"));
  config.valid_steps = 55;
  config.warmup_steps = 91;
  EXPECT_THAT(describe_plan(config, {550, 55, 91, 550}),
              ElementsAre("training.max_steps: 550, for max_minutes 5"));
  config.max_epochs = 20;
  EXPECT_THAT(describe_plan(config, {550, 55, 91, 34495}),
              ElementsAre("training.max_steps: 550, for max_epochs 20 (max_minutes 5 allows about "
                          "34,495)"));
}

TEST(CorrectedSteps, FollowFromTheTimeThatUpdatesReallyTake) {
  MeasuredPlan plan{.costs = {.update = 0.1}, .time_steps = 1000, .most_steps = 100'000};
  TrainingConfig config;
  config.max_steps = 1000;
  EXPECT_EQ(corrected_steps(plan, config, 100, 0.2), 500);
  EXPECT_EQ(corrected_steps(plan, config, 100, 0.05), 2000);
  EXPECT_EQ(corrected_steps(plan, config, 100, 0.104), std::nullopt) << "a twentieth is left";
  plan.most_steps = config.max_steps = 300;
  EXPECT_EQ(corrected_steps(plan, config, 100, 0.2), std::nullopt) << "500 updates fit";
  EXPECT_EQ(corrected_steps(plan, config, 100, 0.5), 200);
}

TEST(CorrectedSteps, KeepTheWarmUpOnlyIfTheScheduleNeedsIt) {
  const MeasuredPlan plan{.costs = {.update = 0.1}, .time_steps = 400, .most_steps = 100'000};
  TrainingConfig config;
  config.max_steps = 400;
  config.warmup_steps = 5000;
  EXPECT_EQ(corrected_steps(plan, config, 10, 0.2), 200);
  EXPECT_EQ(corrected_steps(plan, config, 250, 0.2), 251);
  EXPECT_EQ(corrected_steps(plan, config, 400, 0.2), std::nullopt) << "the plan is at its end";
  config.schedule = ScheduleKind::cosine;
  config.warmup_steps = 300;
  EXPECT_EQ(corrected_steps(plan, config, 10, 0.2), 301);
}

}  // namespace
}  // namespace tfm

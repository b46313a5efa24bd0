#include "tfm/optim/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tfm {
namespace {

TrainingConfig with(ScheduleKind kind) {
  TrainingConfig config;
  config.schedule = kind;
  config.learning_rate = 2;
  config.warmup_steps = 100;
  config.max_steps = 1100;
  config.min_learning_rate = 0.5;
  config.sgdr_period = 200;
  config.sgdr_factor = 2;
  return config;
}

TEST(LearningRateAt, WarmsUpLinearlyInEverySchedule) {
  for (const auto kind : {ScheduleKind::constant, ScheduleKind::inverse_sqrt, ScheduleKind::cosine,
                          ScheduleKind::sgdr}) {
    EXPECT_DOUBLE_EQ(learning_rate_at(with(kind), 1), 0.02);
    EXPECT_DOUBLE_EQ(learning_rate_at(with(kind), 50), 1);
    EXPECT_DOUBLE_EQ(learning_rate_at(with(kind), 100), 2);
  }
}

TEST(LearningRateAt, InverseSqrtIsProportionalToTheFormulaOfVaswaniEtAl) {
  const auto config = with(ScheduleKind::inverse_sqrt);
  for (const int64_t step : {1, 60, 100, 400, 10000}) {
    // The formula of Vaswani et al. (2017, section 5.3) without its factor D^-0.5.
    const double formula =
        std::min(std::pow(step, -0.5), static_cast<double>(step) * std::pow(100, -1.5));
    EXPECT_NEAR(learning_rate_at(config, step), 2 * std::sqrt(100.0) * formula, 1e-9);
  }
}

TEST(LearningRateAt, CosineEndsAtItsMinimumAndStaysThere) {
  const auto config = with(ScheduleKind::cosine);
  EXPECT_NEAR(learning_rate_at(config, 600), (2 + 0.5) / 2, 1e-9);
  EXPECT_NEAR(learning_rate_at(config, 1100), 0.5, 1e-9);
  EXPECT_NEAR(learning_rate_at(config, 5000), 0.5, 1e-9);
}

TEST(LearningRateAt, SgdrRestartsWithLongerPeriods) {
  const auto config = with(ScheduleKind::sgdr);
  EXPECT_NEAR(learning_rate_at(config, 200), 1.25, 1e-9);  // half of the first period
  EXPECT_NEAR(learning_rate_at(config, 300), 2, 1e-9);     // first restart
  EXPECT_NEAR(learning_rate_at(config, 500), 1.25, 1e-9);  // half of the second period
  EXPECT_NEAR(learning_rate_at(config, 700), 2, 1e-9);
}

TEST(LearningRateAt, ConstantScheduleWithoutWarmupAlwaysReturnsTheSameRate) {
  auto config = with(ScheduleKind::constant);
  config.warmup_steps = 0;
  EXPECT_DOUBLE_EQ(learning_rate_at(config, 1), 2);
  EXPECT_DOUBLE_EQ(learning_rate_at(config, 100000), 2);
}

}  // namespace
}  // namespace tfm

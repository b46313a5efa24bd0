#include "tfm/run/divergence.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TrainingConfig patient(OnDivergence what, std::int64_t patience) {
  TrainingConfig config;
  config.on_divergence = what;
  config.divergence_patience = patience;
  return config;
}

TEST(DivergencePolicy, CountsOnlyConsecutiveNonFiniteUpdates) {
  const auto config = patient(OnDivergence::rollback, 2);
  Divergence state;
  EXPECT_EQ(record_update(config, 1, true, state), DivergenceAction::none);
  EXPECT_EQ(record_update(config, 2, false, state), DivergenceAction::skip_update);
  EXPECT_EQ(record_update(config, 3, true, state), DivergenceAction::none);
  EXPECT_EQ(record_update(config, 4, false, state), DivergenceAction::skip_update);
  EXPECT_EQ(record_update(config, 5, false, state), DivergenceAction::roll_back);
}

TEST(DivergencePolicy, StopsOrSkipsAsConfigured) {
  Divergence state;
  EXPECT_EQ(record_update(patient(OnDivergence::stop, 1), 1, false, state), DivergenceAction::stop);
  for (int step = 2; step < 99; ++step)
    EXPECT_EQ(record_update(patient(OnDivergence::skip, 1), step, false, state),
              DivergenceAction::skip_update);
}

TEST(DivergencePolicy, StopsAfterThreeRollbacksWithoutProgress) {
  const auto config = patient(OnDivergence::rollback, 1);
  Divergence state;
  for (int rollback = 1; rollback <= 3; ++rollback) {
    EXPECT_EQ(record_update(config, 8, false, state), DivergenceAction::roll_back);
    state = after_rollback(config, 8, 4, state);
    EXPECT_EQ(state.rollbacks, rollback);
    // This update is not yet past the step at which the rollback started.
    EXPECT_EQ(record_update(config, 8, true, state), DivergenceAction::none);
  }
  EXPECT_EQ(state.learning_rate_factor, 0.125);
  EXPECT_EQ(record_update(config, 8, false, state), DivergenceAction::stop);
}

TEST(DivergencePolicy, ProgressResetsTheRollbackCountButNotTheLearningRate) {
  const auto config = patient(OnDivergence::rollback, 1);
  auto state = after_rollback(config, 8, 4,
                              {.skipped_updates = 1,
                               .rollbacks = 2,
                               .step = 7,
                               .rollback_step = 5,
                               .learning_rate_factor = 0.25});
  EXPECT_EQ(record_update(config, 9, true, state), DivergenceAction::none);
  EXPECT_EQ(state, (Divergence{.skipped_updates = 0,
                               .rollbacks = 0,
                               .step = 8,
                               .rollback_step = 4,
                               .learning_rate_factor = 0.125}));
}

TEST(RollbackLimit, DecreasesUntilTrainingMakesProgress) {
  const auto config = patient(OnDivergence::rollback, 1);
  EXPECT_EQ(rollback_limit({}), std::nullopt);
  auto state = after_rollback(config, 8, 6, {});
  EXPECT_EQ(rollback_limit(state), 6);
  state = after_rollback(config, 7, 4, state);
  EXPECT_EQ(rollback_limit(state), 4);
  record_update(config, 8, true, state);
  EXPECT_EQ(state.rollbacks, 2) << "step 8 is past 7, but not past the first rollback's 8";
  record_update(config, 9, true, state);
  EXPECT_EQ(rollback_limit(state), std::nullopt);
  EXPECT_EQ(after_rollback(config, 7, 6, state).step, 7) << "a new series of rollbacks starts";
}

}  // namespace
}  // namespace tfm

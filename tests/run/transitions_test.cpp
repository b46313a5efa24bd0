#include "tfm/run/transitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "states.h"

namespace tfm {
namespace {

using ChangeConfig = void (*)(TrainingConfig&);

TEST(StopReason, NamesTheLimitThatIsReached) {
  const struct {
    ChangeConfig config;
    ChangeState state;
    std::optional<std::string> reason;
  } cases[] = {
      {[](auto&) {}, [](auto&) {}, std::nullopt},
      {[](auto& c) { c.max_steps = 10; }, [](auto&) {}, "max_steps 10 reached"},
      {[](auto& c) { c.max_steps = 0; }, [](auto& s) { s.step = 1000; }, std::nullopt},
      {[](auto& c) { c.max_epochs = 1; }, [](auto&) {}, "max_epochs 1 reached"},
      {[](auto& c) { c.max_epochs = 2; }, [](auto&) {}, std::nullopt},
      {[](auto& c) { c.max_minutes = 1; }, [](auto&) {}, "max_minutes 1 reached"},
      {[](auto& c) { c.early_stopping = 3; },
       [](auto& s) { s.validations_without_improvement = 3; }, "no gain in 3 validations"},
      {[](auto& c) { c.early_stopping = 1; },
       [](auto& s) { s.validations_without_improvement = 1; }, "no gain in 1 validation"},
      {[](auto&) {}, [](auto& s) { s.validations_without_improvement = 99; }, std::nullopt},
  };
  for (const auto& [config, state, reason] : cases) {
    EXPECT_EQ(stop_reason(with(test_config(), config), with(trained(), state)), reason)
        << reason.value_or("none");
  }
}

TEST(UpdatedState, IncludesTheLossOfAFiniteUpdate) {
  const auto next =
      updated(test_config(), trained(),
              {.position = {1, 6}, .seconds = 61, .loss = 4, .target_tokens = 2, .finite = true});
  EXPECT_EQ(next.action, DivergenceAction::none);
  EXPECT_EQ(next.state, with(trained(), [](auto& s) {
              s.step = 11;
              s.position = {1, 6};
              s.seconds = 61;
              s.epoch = {12, 6};
              s.report = {10, 5};
            }));
}

TEST(UpdatedState, ExcludesTheLossOfANonFiniteUpdate) {
  const UpdateDone done{.position = {1, 6},
                        .seconds = 61,
                        .loss = std::numeric_limits<double>::quiet_NaN(),
                        .target_tokens = 2,
                        .finite = false};
  const auto first = updated(test_config(), trained(), done);
  EXPECT_EQ(first.action, DivergenceAction::skip_update);
  EXPECT_EQ(first.state.epoch, trained().epoch);
  EXPECT_EQ(first.state.report, trained().report);
  EXPECT_EQ(first.state.divergence.skipped_updates, 1);
  const auto second = updated(test_config(), first.state, done);
  EXPECT_EQ(second.action, DivergenceAction::roll_back);
  EXPECT_EQ(second.state.step, 12);
}

TEST(Decide, ReturnsTheActionsDueAfterAnUpdate) {
  const struct {
    ChangeConfig config;
    ChangeState state;  // turns the state of step 10 into the state after the update
    Decisions due;
  } cases[] = {
      {[](auto&) {}, [](auto& s) { s.step = 11; }, {}},
      {[](auto&) {}, [](auto& s) { s.step = 12; }, {.log_step = true}},
      {[](auto&) {}, [](auto& s) { s.step = 15; }, {.save = true, .validate = true}},
      {[](auto& c) { c.save_steps = 6; }, [](auto& s) { s.step = 15; }, {.validate = true}},
      {[](auto& c) { c.save_steps = 6; },
       [](auto& s) { s.step = 12; },
       {.log_step = true, .save = true}},
      {[](auto& c) { c.valid_steps = 0; }, [](auto& s) { s.step = 15; }, {}},
      {[](auto& c) { c.save_minutes = 1; },
       [](auto& s) { s.step = 11, s.seconds = 120; },
       {.save = true}},
      {[](auto& c) { c.save_minutes = 1; }, [](auto& s) { s.step = 11, s.seconds = 119; }, {}},
      {[](auto& c) { c.save_minutes = 1; },
       [](auto& s) { s.step = 15, s.seconds = 120, s.divergence.skipped_updates = 1; },
       {.validate = true}},
      {[](auto&) {},
       [](auto& s) { s.step = 12, s.position = {2, 0}; },
       {.log_step = true, .begin_epoch = true}},
      {[](auto& c) { c.log_unit = LogUnit::epochs, c.log_every = 1; },
       [](auto& s) { s.step = 12, s.position = {2, 0}; },
       {.log_epoch = true, .begin_epoch = true}},
      {[](auto& c) { c.log_unit = LogUnit::epochs, c.log_every = 3; },
       [](auto& s) { s.step = 12, s.position = {2, 0}; },
       {.begin_epoch = true}},
      {[](auto& c) { c.log_unit = LogUnit::epochs, c.log_every = 3; },
       [](auto& s) { s.step = 12, s.position = {4, 1}; },  // one update ended three epochs
       {.log_epoch = true, .begin_epoch = true}},
      {[](auto& c) { c.log_unit = LogUnit::epochs, c.log_every = 1; },
       [](auto& s) { s.step = 12, s.position = {2, 0}, s.epoch = {}; },  // no update was finite
       {.begin_epoch = true}},
  };
  int number = 0;
  for (const auto& [config, state, due] : cases) {
    EXPECT_EQ(decide(with(test_config(), config), trained(), with(trained(), state)), due)
        << "case " << number;
    ++number;
  }
}

TEST(EpochBegun, ResetsTheReportedLossOnlyIfEpochsAreLogged) {
  auto config = test_config();
  EXPECT_EQ(epoch_begun(config, trained()), with(trained(), [](auto& s) { s.epoch = {}; }));
  config.log_unit = LogUnit::epochs;
  EXPECT_EQ(epoch_begun(config, trained()),
            with(trained(), [](auto& s) { s.epoch = s.report = {}; }));
  EXPECT_EQ(step_logged(trained()), with(trained(), [](auto& s) { s.report = {}; }));
}

TEST(WeightsMayBeInvalid, RequiresMoreSkippedUpdatesAndAModelAtTheEndOfTraining) {
  const struct {
    std::int64_t skipped;
    bool at_end;
    bool model_exists;
    bool invalid;
  } cases[] = {
      {0, false, true, false}, {1, false, true, true}, {0, true, true, false},
      {1, true, true, false},  {2, true, true, true},  {2, true, false, false},
  };
  for (const auto& [skipped, at_end, model_exists, invalid] : cases) {
    auto state = trained();
    state.divergence.skipped_updates = skipped;
    if (at_end) state.step = 100;
    EXPECT_EQ(weights_may_be_invalid(test_config(), state, model_exists), invalid)
        << skipped << at_end << model_exists;
  }
}

TEST(ValidatedState, StoresTheBestScoreAndCountsValidationsWithoutImprovement) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const auto lowest = std::numeric_limits<double>::lowest();
  const auto at_15 = with(trained(), [](auto& s) { s.step = 15; });
  const struct {
    ChangeState state;
    std::optional<double> score;
    bool is_best;
    std::optional<double> best_score;
    std::int64_t without_improvement;
  } cases[] = {
      {[](auto&) {}, 21, true, 21, 0},
      {[](auto&) {}, 20, false, 20, 1},
      {[](auto&) {}, nan, false, 20, 1},
      {[](auto&) {}, std::nullopt, false, 20, 1},
      {[](auto& s) { s.best_score.reset(); }, nan, true, lowest, 0},
      {[](auto& s) { s.validations_without_improvement = 4; }, 21, true, 21, 0},
      // The best model itself is scored again, by another metric.
      {[](auto& s) { s.best_step = 15; }, 20, false, 20, 0},
  };
  for (const auto& [state, score, is_best, best_score, without_improvement] : cases) {
    const auto next = validated(with(at_15, state), score);
    EXPECT_EQ(next.is_best, is_best);
    EXPECT_EQ(next.state.best_score, best_score);
    EXPECT_EQ(next.state.validations_without_improvement, without_improvement);
    EXPECT_EQ(next.state.validated_step, 15);
    EXPECT_EQ(next.state.unscored_step == 15, !score);
    EXPECT_EQ(next.state.scheduled, score.has_value())
        << "weights without a score are not a rollback target";
  }
}

TEST(AveragedState, DoesNotCountTheAverageTowardsEarlyStopping) {
  const auto worse = with(trained(), [](auto& s) { s.validations_without_improvement = 3; });
  EXPECT_EQ(averaged(trained(), worse).validations_without_improvement, 0);
  EXPECT_EQ(averaged(worse, trained()).validations_without_improvement, 0);
}

constexpr ChangeState without_scores = [](TrainerState& s) {
  s.best_score.reset();
  s.best_event.clear();
  s.validations_without_improvement = 0;
  s.validated_step.reset();
  s.averaged_step.reset();
};

TEST(ResumedState, EqualsTheStateOfTheCheckpointIfNothingChanged) {
  const auto same = resumed(trained(), {1, 2}, /*model_exists=*/true);
  EXPECT_EQ(same.state, trained());
  EXPECT_FALSE(same.data_changed || same.metric_changed || same.model_gone);
}

TEST(ResumedState, SkipsNoEpochIfTheDataChangedBetweenTwoEpochs) {
  const auto between = with(trained(), [](auto& s) { s.position = {2, 0}; });
  EXPECT_EQ(resumed(between, {9, 2}, /*model_exists=*/true).state.position, (DataPosition{2, 0}));
  const auto window = with(trained(), [](auto& s) { s.position = {2, 0, 1}; });
  EXPECT_EQ(resumed(window, {9, 2}, /*model_exists=*/true).state.position, (DataPosition{3, 0}));
}

TEST(ResumedState, StartsANewEpochIfTheDataChanged) {
  const auto next = resumed(trained(), {9, 2}, /*model_exists=*/true);
  EXPECT_TRUE(next.data_changed);
  EXPECT_EQ(next.state, with(trained(), [](auto& s) {
              s.position = {2, 0};
              s.epoch = {};
              s.fingerprints.data = 9;
            }));
}

TEST(ResumedState, ResetsScoresIfTheMetricChanged) {
  const auto next = resumed(trained(), {1, 9}, /*model_exists=*/true);
  EXPECT_TRUE(next.metric_changed);
  EXPECT_EQ(next.former_metric, 2U);
  auto expected = with(trained(), without_scores);
  expected.fingerprints.metric = 9;
  EXPECT_EQ(next.state, expected);
  EXPECT_EQ(next.state.best_step, 10) << "the best model is scored again";
  const auto unknown = with(trained(), [](auto& s) { s.fingerprints.metric = 0; });
  EXPECT_FALSE(resumed(unknown, {1, 9}, true).metric_changed);
  EXPECT_EQ(resumed(unknown, {1, 9}, true).state.best_score, 20);
}

TEST(ResumedState, ResetsTheScoreOfAMissingModel) {
  EXPECT_TRUE(resumed(trained(), {1, 2}, /*model_exists=*/false).model_gone);
  EXPECT_EQ(resumed(trained(), {1, 2}, /*model_exists=*/false).state,
            with(trained(), without_scores));
  EXPECT_FALSE(resumed({}, {}, /*model_exists=*/false).model_gone) << "there was no model yet";
}

TEST(ResumedState, ReportsAMissingModelEvenIfTheMetricChanged) {
  EXPECT_TRUE(resumed(trained(), {1, 9}, /*model_exists=*/false).model_gone);
  // The session that noticed the new metric ended before it validated.
  const auto unvalidated = resumed(trained(), {1, 9}, /*model_exists=*/true).state;
  EXPECT_TRUE(resumed(unvalidated, {1, 9}, /*model_exists=*/false).model_gone);
}

TEST(RolledBackState, KeepsTheBestModelAndCountsTheLostTime) {
  auto config = test_config();
  config.rollback_factor = 0.5;
  const auto diverged = with(trained(), [](auto& s) {
    s.step = 20;
    s.seconds = 120;
    s.best_score = 30;
    s.best_step = 18;
    s.best_event = "{18}";
    s.divergence.skipped_updates = 2;
    s.saved = {.step = 15, .seconds = 90};
  });
  EXPECT_EQ(rolled_back(config, diverged, trained()), with(trained(), [](auto& s) {
              s.seconds = 120;
              s.best_score = 30;
              s.best_step = 18;
              s.best_event = "{18}";
              s.divergence = {
                  .rollbacks = 1, .step = 20, .rollback_step = 10, .learning_rate_factor = 0.5};
              s.saved = {.step = 10, .seconds = 90};
            }));
}

TEST(IsComplete, RequiresAReachedLimitAndAnUpToDateScoreAndAverage) {
  const auto config = with(test_config(), [](auto& c) { c.max_steps = 10; });
  const Fingerprints now{1, 2};
  EXPECT_TRUE(is_complete(config, trained(), now));
  EXPECT_FALSE(is_complete(test_config(), trained(), now)) << "no limit is reached";
  EXPECT_FALSE(is_complete(config, trained(), {1, 3})) << "the metric changed";
  EXPECT_FALSE(is_complete(config, with(trained(), [](auto& s) { s.validated_step = 5; }), now));
  const auto averaging = with(config, [](auto& c) { c.average_checkpoints = 3; });
  EXPECT_FALSE(is_complete(averaging, trained(), now));
  EXPECT_TRUE(is_complete(averaging, with(trained(), [](auto& s) { s.averaged_step = 10; }), now));
}

}  // namespace
}  // namespace tfm

// Tests when a run saves, and which checkpoints it may then remove.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "states.h"
#include "tfm/run/transitions.h"

namespace tfm {
namespace {

TEST(SavingDecision, DependsOnTheSaveReasonAndTheState) {
  using Retention = std::optional<RetentionPolicy>;
  const auto keep = [](std::int64_t count, bool scheduled_only = false) {
    return Retention(RetentionPolicy{.count = count, .scheduled_only = scheduled_only});
  };
  const struct {
    ChangeState state;  // applied to the state of step 15, which has no checkpoint yet
    SaveReason reason;
    bool write;
    bool rewrite_state;
    bool scheduled;
    Retention retention;
    std::string why;
  } cases[] = {
      {[](auto&) {}, SaveReason::scheduled, true, false, true, keep(4),
       "one more is kept until there is a score"},
      {[](auto& s) { s.step = 12; }, SaveReason::scheduled, true, false, true, keep(3),
       "due by save_minutes at a step without validation"},
      {[](auto& s) { s.step = 12; }, SaveReason::unscheduled, true, false, false, keep(3), ""},
      {[](auto&) {}, SaveReason::unscheduled, true, false, true, keep(3),
       "the step is scheduled anyway"},
      {[](auto& s) { s.step = 0, s.saved = {}; }, SaveReason::unscheduled, true, false, false,
       keep(3), "before the first update"},
      {[](auto& s) { s.divergence.skipped_updates = 1; }, SaveReason::unscheduled, true, false,
       false, std::nullopt, "training may have to roll back to older ones"},
      {[](auto& s) { s.step = 100; }, SaveReason::end, true, false, true, keep(4, true), ""},
      {[](auto& s) { s.saved.step = 15; }, SaveReason::scheduled, false, false, true, std::nullopt,
       "saved already"},
      {[](auto& s) { s.step = s.saved.step.emplace(100), s.validated_step = 100; }, SaveReason::end,
       false, false, true, keep(3, true), "saved already"},
      {[](auto& s) {
         s.step = s.saved.step.emplace(100), s.validated_step = 100, s.scheduled = false;
       },
       SaveReason::end, false, true, true, keep(3, true), "saved by an interruption"},
      {[](auto& s) {
         s.step = s.saved.step.emplace(100), s.unscored_step = 100, s.scheduled = false;
       },
       SaveReason::end, false, false, false, std::nullopt,
       "a checkpoint without a score is not used"},
  };
  for (const auto& [change, reason, write, rewrite_state, scheduled, retention, why] : cases) {
    const auto state = with(with(trained(), [](auto& s) { s.step = 15; }), change);
    const auto saved = saving(test_config(), state, reason, /*has_validation=*/true);
    EXPECT_EQ(saved.write, write) << why;
    EXPECT_EQ(saved.rewrite_state, rewrite_state) << why;
    EXPECT_EQ(saved.state.scheduled, scheduled) << why;
    EXPECT_EQ(saved.retention, retention) << why;
    EXPECT_EQ(saved.state.saved.step == state.step, write || state.saved.step == state.step) << why;
  }
}

TEST(SavingDecision, KeepsNoExtraCheckpointWithoutValidationData) {
  const auto state = with(trained(), [](auto& s) { s.step = 15; });
  const auto saved = saving(test_config(), state, SaveReason::scheduled, /*has_validation=*/false);
  EXPECT_EQ(saved.retention, RetentionPolicy{.count = 3});
}

TEST(RetentionAfterValidation, KeepsAllCheckpointsUntilThereIsAScore) {
  const struct {
    ChangeState state;
    std::optional<RetentionPolicy> retention;
  } cases[] = {
      {[](auto&) {}, RetentionPolicy{.count = 3}},
      {[](auto& s) { s.step = 100, s.validated_step = 100; },
       RetentionPolicy{.count = 3, .scheduled_only = true}},
      {[](auto& s) { s.validated_step = 5; }, std::nullopt},
      {[](auto& s) { s.unscored_step = 10; }, std::nullopt},
      {[](auto& s) { s.scheduled = false; }, std::nullopt},
  };
  for (const auto& [state, retention] : cases) {
    EXPECT_EQ(retention_after_validation(test_config(), with(trained(), state),
                                         /*has_validation=*/true),
              retention);
  }
}

}  // namespace
}  // namespace tfm

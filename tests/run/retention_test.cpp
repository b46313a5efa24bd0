#include "tfm/run/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tfm {
namespace {

using Steps = std::vector<std::int64_t>;

/// Returns checkpoints of these steps. Those of steps that are multiples of three are scheduled.
std::vector<SavedCheckpoint> saved(const Steps& steps) {
  std::vector<SavedCheckpoint> checkpoints;
  for (const auto step : steps) checkpoints.push_back({.step = step, .scheduled = step % 3 == 0});
  return checkpoints;
}

TEST(RetentionPolicy, KeepsTheNewestScheduledCheckpoints) {
  const struct {
    RetentionPolicy policy;
    Steps steps;
    Steps removed;
    std::string why;
  } cases[] = {
      {{.count = 2}, {3, 6, 9}, {3}, "the newest two are kept"},
      {{.count = 2}, {3, 6, 7}, {}, "an unscheduled one replaces no scheduled one"},
      {{.count = 2}, {3, 6, 7, 9}, {3, 7}, "an older unscheduled one is removed"},
      {{.count = 2}, {3, 6, 7, 8}, {7}, "only the newest unscheduled one is kept"},
      {{.count = 1}, {4}, {}, "the newest is kept, even if unscheduled"},
      {{.count = 0}, {3, 6}, {3}, "at least one is kept"},
      {{.count = 2}, {}, {}, "there are no checkpoints"},
      {{.count = 3}, {3, 4, 6}, {}, "an unscheduled one is kept up to the count"},
      {{.count = 3, .scheduled_only = true}, {3, 4, 6}, {4}, "but not with scheduled_only"},
      {{.count = 3, .scheduled_only = true},
       {3, 4},
       {},
       "the newest is kept with scheduled_only, too"},
  };
  for (const auto& [policy, steps, removed, why] : cases)
    EXPECT_EQ(to_remove(saved(steps), policy), removed) << why;
}

/// Returns a divergence whose next rollback must go to a checkpoint from before `step`.
Divergence before(std::int64_t step) { return {.rollbacks = 1, .rollback_step = step}; }

TEST(RollbackTarget, PrefersTheNewestScheduledCheckpointBeforeTheLimit) {
  using Checkpoints = std::vector<SavedCheckpoint>;
  const struct {
    Checkpoints checkpoints;
    Divergence divergence;
    std::optional<std::int64_t> target;
    std::string why;
  } cases[] = {
      {saved({3, 6, 9}), {}, 9, "the newest"},
      {saved({3, 6, 9}), before(9), 6, "the newest before the last target"},
      {saved({3, 6, 9}), before(3), 3, "the oldest, because none precedes it"},
      {saved({3, 4}), {}, 3, "a scheduled one is preferred"},
      {saved({4, 5}), {}, 5, "an unscheduled one if none is scheduled"},
      {saved({}), {}, std::nullopt, "there are no checkpoints"},
      {{{.step = 3}, {.step = 6, .skipped_updates = 2}},
       {},
       3,
       "the newest was saved while updates were skipped"},
      {{{.step = 4, .scheduled = false}, {.step = 6, .skipped_updates = 2}},
       {},
       4,
       "the scheduled one was saved while updates were skipped"},
      {{{.step = 6, .skipped_updates = 2}},
       {},
       std::nullopt,
       "the only one was saved while updates were skipped"},
  };
  for (const auto& [checkpoints, divergence, target, why] : cases)
    EXPECT_EQ(rollback_target(checkpoints, divergence), target) << why;
}

}  // namespace
}  // namespace tfm

#include "tfm/run/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tfm {
namespace {

using Steps = std::vector<std::int64_t>;

/// Returns checkpoints of these steps, oldest first; multiples of three are scheduled.
std::vector<SavedCheckpoint> saved(const Steps& steps) {
  std::vector<SavedCheckpoint> checkpoints;
  for (const auto step : steps) checkpoints.push_back({.step = step, .scheduled = step % 3 == 0});
  return checkpoints;
}

TEST(RetentionPolicy, RemovesWhatItDoesNotKeep) {
  const struct {
    RetentionPolicy policy;
    Steps steps;
    Steps removed;
    std::string why;
  } cases[] = {
      {{.count = 2}, {3, 6, 9}, {3}, "the newest two stay"},
      {{.count = 2}, {3, 6, 7}, {}, "an interruption's pushes none out"},
      {{.count = 2}, {3, 6, 7, 9}, {3, 7}, "nor does it take the place of one"},
      {{.count = 2}, {3, 6, 7, 8}, {7}, "only the newest interruption's stays"},
      {{.count = 1}, {4}, {}, "the newest stays, whatever it is"},
      {{.count = 0}, {3, 6}, {3}, "at least one stays"},
      {{.count = 2}, {}, {}, "there are none"},
      {{.count = 3}, {3, 4, 6}, {}, "an interruption's stays while there are too few"},
      {{.count = 3, .scheduled_only = true}, {3, 4, 6}, {4}, "but not at the end"},
      {{.count = 3, .scheduled_only = true}, {3, 4}, {}, "the newest stays at the end, too"},
  };
  for (const auto& [policy, steps, removed, why] : cases)
    EXPECT_EQ(to_remove(saved(steps), policy), removed) << why;
}

/// Returns a divergence from which training must roll back to before this step.
Divergence before(std::int64_t step) { return {.rollbacks = 1, .rollback_step = step}; }

TEST(RollbackTarget, IsTheNewestValidCheckpointBeforeTheLimit) {
  using Checkpoints = std::vector<SavedCheckpoint>;
  const struct {
    Checkpoints checkpoints;
    Divergence divergence;
    std::optional<std::int64_t> target;
    std::string why;
  } cases[] = {
      {saved({3, 6, 9}), {}, 9, "the newest"},
      {saved({3, 6, 9}), before(9), 6, "older than the last target"},
      {saved({3, 6, 9}), before(3), 3, "the oldest there is"},
      {saved({3, 4}), {}, 3, "a scheduled one before an interruption's"},
      {saved({4, 5}), {}, 5, "an interruption's if there is no other"},
      {saved({}), {}, std::nullopt, "there is none"},
      {{{.step = 3}, {.step = 6, .skipped_updates = 2}}, {}, 3, "none among skipped updates"},
      {{{.step = 4, .scheduled = false}, {.step = 6, .skipped_updates = 2}},
       {},
       4,
       "a scheduled one among skipped updates counts for nothing"},
      {{{.step = 6, .skipped_updates = 2}}, {}, std::nullopt, "no good one"},
  };
  for (const auto& [checkpoints, divergence, target, why] : cases)
    EXPECT_EQ(rollback_target(checkpoints, divergence), target) << why;
}

}  // namespace
}  // namespace tfm

// Plans a run that has a time limit instead of a number of updates (`training.max_steps: auto`):
// how many updates fit, how often they are validated, and how long the warmup is.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/run/fitted_numbers.h"

namespace tfm {

/// The measured costs of a run's parts in seconds.
struct TimeCosts {
  double update = 0;      ///< one update
  double validation = 0;  ///< one validation; 0 without validation data
  double checkpoint = 0;  ///< writing one checkpoint
};

/// The smallest number of validations that a time plan has if it chooses valid_steps.
inline constexpr std::int64_t fewest_validations = 4;

/// The numbers that `training.max_steps: auto` determines.
struct TimePlan {
  std::int64_t max_steps = 1;
  std::int64_t valid_steps = 0;
  std::int64_t warmup_steps = 0;
  std::int64_t time_steps = 1;  ///< the number of updates that the time allows, at least max_steps

  bool operator==(const TimePlan&) const = default;
};

/// Returns the largest number of updates, at least one and at most `most_steps`, that fits into
/// planned_share of max_minutes together with the validations and checkpoints. If valid_steps has
/// its default and this is too long, it becomes a tenth of the updates; fewer validations fit if
/// they are slow, but at least fewest_validations. If warmup_steps has its default, it becomes at
/// most a sixth of the updates.
TimePlan plan_for_minutes(const TrainingConfig& config, const TimeCosts& costs,
                          std::int64_t most_steps = std::numeric_limits<std::int64_t>::max());

/// What the session that measured a run remembers of its plan.
struct MeasuredPlan {
  TimeCosts costs;
  std::int64_t time_steps = 1;  ///< the number of updates that fits into the time at these costs
  std::int64_t most_steps = 1;  ///< the number of updates until max_epochs
};

/// Returns the number of updates that replaces max_steps after `step` updates have taken `update`
/// seconds each; nullopt if the plan is right to a twentieth, which planned_share leaves. At least
/// one update follows, and a cosine schedule keeps its warm-up. For their sake, the number exceeds
/// the time, but never the plan.
std::optional<std::int64_t> corrected_steps(const MeasuredPlan& plan, const TrainingConfig& config,
                                            std::int64_t step, double update);

/// Returns a line for each number of the plan that differs from the config, with its reason.
std::vector<std::string> describe_plan(const TrainingConfig& before, const TimePlan& plan);

}  // namespace tfm

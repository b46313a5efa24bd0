// Plans a run that has a time limit instead of a number of updates (`training.max_steps: auto`):
// how many updates fit, how often they are validated, and how long the warmup is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// The measured costs of a run's parts in seconds.
struct TimeCosts {
  double update = 0;      ///< one update
  double validation = 0;  ///< one validation; 0 without validation data
  double checkpoint = 0;  ///< writing one checkpoint
};

/// The share of max_minutes that `max_steps: auto` plans. The rest is for variations in speed.
inline constexpr double planned_share = 0.95;

/// The smallest number of validations that a time plan has if it chooses valid_steps.
inline constexpr std::int64_t fewest_validations = 4;

/// The numbers that `training.max_steps: auto` determines.
struct TimePlan {
  std::int64_t max_steps = 1;
  std::int64_t valid_steps = 0;
  std::int64_t warmup_steps = 0;

  bool operator==(const TimePlan&) const = default;
};

/// Returns the largest number of updates, at least one, that fits into planned_share of max_minutes
/// together with the validations and checkpoints. If valid_steps has its default and this is too
/// long, it becomes a tenth of the updates; fewer validations fit if they are slow, but at least
/// fewest_validations. If warmup_steps has its default, it becomes at most a sixth of the updates.
TimePlan plan_for_minutes(const TrainingConfig& config, const TimeCosts& costs);

/// Returns a line for each number of the plan that differs from the config, with its reason.
std::vector<std::string> describe_plan(const TrainingConfig& before, const TimePlan& plan);

}  // namespace tfm

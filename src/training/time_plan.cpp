#include "tfm/training/time_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tfm/core/format.h"

namespace tfm {
namespace {

constexpr std::int64_t most_validations = 10;
/// The share of the planned time above which validations become rarer.
constexpr double share_for_validations = 0.2;
constexpr std::int64_t warmups_per_run = 6;

double per_update(double seconds, std::int64_t steps) {
  return steps > 0 ? seconds / static_cast<double>(steps) : 0;
}

std::int64_t whole_steps(double seconds, double update) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds / update));
}

/// The time that the updates, validations and checkpoints of a run share.
struct Budget {
  double seconds = 0;     ///< without the validation and the checkpoint of the end
  double validation = 0;  ///< one validation, with its checkpoint if it saves one
  double update = 0;      ///< one update, with its share of the checkpoints of save_steps
};

Budget make_budget(const TrainingConfig& config, const TimeCosts& costs) {
  const bool averages = config.average_checkpoints > 1;  // the average is validated too
  const double end = costs.checkpoint + costs.validation * (averages ? 2 : 1);
  return {.seconds = planned_share * 60 * config.max_minutes - end,
          .validation = costs.validation + (config.save_steps == 0 ? costs.checkpoint : 0),
          .update = costs.update + per_update(costs.checkpoint, config.save_steps)};
}

/// Returns the number of updates if one validation follows each `valid_steps` updates.
std::int64_t steps_at_interval(const Budget& budget, std::int64_t valid_steps) {
  return whole_steps(budget.seconds, budget.update + per_update(budget.validation, valid_steps));
}

/// Returns the number of validations that suits the budget, with the last.
std::int64_t count_validations(const Budget& budget) {
  if (budget.validation <= 0) return most_validations;
  const auto affordable = share_for_validations * budget.seconds / budget.validation;
  return std::clamp(static_cast<std::int64_t>(std::clamp(affordable, 0.0, 1000.0)),
                    fewest_validations, most_validations);
}

}  // namespace

TimePlan plan_for_minutes(const TrainingConfig& config, const TimeCosts& costs,
                          std::int64_t most_steps) {
  const auto budget = make_budget(config, costs);
  const auto in_time = steps_at_interval(budget, config.valid_steps);
  TimePlan plan{.max_steps = std::min(in_time, most_steps),
                .valid_steps = config.valid_steps,
                .warmup_steps = config.warmup_steps,
                .time_steps = in_time};
  const auto validations = count_validations(budget);
  if (has_default_valid_steps(config) && plan.max_steps < validations * config.valid_steps) {
    const double between = budget.validation * static_cast<double>(validations - 1);
    plan.time_steps = whole_steps(budget.seconds - between, budget.update);
    plan.max_steps = std::min(plan.time_steps, most_steps);
    plan.valid_steps = (plan.max_steps + validations - 1) / validations;
  }
  if (has_default_warmup_steps(config))
    plan.warmup_steps =
        std::clamp<std::int64_t>(plan.max_steps / warmups_per_run, 1, config.warmup_steps);
  return plan;
}

std::optional<std::int64_t> corrected_steps(const MeasuredPlan& plan, const TrainingConfig& config,
                                            std::int64_t step, double update) {
  const auto in_time = std::llround(static_cast<double>(plan.time_steps) *
                                    std::min(plan.costs.update / update, 1000.0));
  const auto warmup = config.schedule == ScheduleKind::cosine ? config.warmup_steps : 0;
  const auto fewest = std::min(std::max(step, warmup) + 1, config.max_steps);
  const auto steps = std::max(std::min<std::int64_t>(in_time, plan.most_steps), fewest);
  const auto change = std::abs(static_cast<double>(steps - config.max_steps));
  if (change <= (1 - planned_share) * static_cast<double>(config.max_steps)) return std::nullopt;
  return steps;
}

std::vector<std::string> describe_plan(const TrainingConfig& before, const TimePlan& plan) {
  const auto source =
      plan.time_steps > plan.max_steps
          ? fmt::format("max_epochs {} (max_minutes {} allows about {})", before.max_epochs,
                        before.max_minutes, group_digits(plan.time_steps))
          : fmt::format("max_minutes {}", before.max_minutes);
  std::vector<std::string> lines = {
      fmt::format("training.max_steps: {}, for {}", plan.max_steps, source)};
  if (plan.valid_steps != before.valid_steps)
    lines.push_back(fmt::format("training.valid_steps: {} instead of {}, to validate several times",
                                plan.valid_steps, before.valid_steps));
  if (plan.warmup_steps != before.warmup_steps)
    lines.push_back(fmt::format("training.warmup_steps: {} instead of {}, a sixth of max_steps",
                                plan.warmup_steps, before.warmup_steps));
  return lines;
}

}  // namespace tfm

#include "tfm/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tfm {
namespace {

/// Returns a value that falls from `high` to `low` on a cosine while `fraction` rises from 0 to 1.
double cosine(double high, double low, double fraction) {
  return low + (high - low) * (1 + std::cos(std::numbers::pi * std::clamp(fraction, 0.0, 1.0))) / 2;
}

double sgdr(const TrainingConfig& config, int64_t steps_since_warmup) {
  auto period = static_cast<double>(config.sgdr_period);
  auto position = static_cast<double>(steps_since_warmup);
  while (position >= period) {
    position -= period;
    period = std::max(1.0, period * config.sgdr_factor);
  }
  return cosine(config.learning_rate, config.min_learning_rate, position / period);
}

}  // namespace

double learning_rate_at(const TrainingConfig& config, int64_t step) {
  const auto now = static_cast<double>(step);
  const auto warmup = static_cast<double>(config.warmup_steps);
  if (step < config.warmup_steps) return config.learning_rate * now / warmup;
  switch (config.schedule) {
    case ScheduleKind::constant:
      return config.learning_rate;
    case ScheduleKind::inverse_sqrt:
      return config.learning_rate * std::sqrt(std::max(1.0, warmup) / now);
    case ScheduleKind::cosine: {
      const auto end =
          static_cast<double>(config.decay_steps > 0 ? config.decay_steps : config.max_steps);
      return cosine(config.learning_rate, config.min_learning_rate,
                    (now - warmup) / std::max(1.0, end - warmup));
    }
    case ScheduleKind::sgdr:
      return sgdr(config, step - config.warmup_steps);
  }
  return config.learning_rate;
}

}  // namespace tfm

#include "tfm/run/fitted_numbers.h"

#include <cmath>

#include "tfm/config/validate.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

/// Copies the numbers that `max_steps: auto` has determined. If max_minutes has changed, the number
/// of updates changes in proportion.
void copy_fitted_steps(TrainingConfig& training, const TrainingConfig& previous) {
  training.max_steps = previous.max_steps;
  if (has_default_valid_steps(training)) training.valid_steps = previous.valid_steps;
  if (has_default_warmup_steps(training)) training.warmup_steps = previous.warmup_steps;
  if (previous.max_minutes <= 0 || previous.max_minutes == training.max_minutes) return;
  const double factor = training.max_minutes / previous.max_minutes;
  training.max_steps = std::llround(std::ceil(factor * static_cast<double>(previous.max_steps)));
}

}  // namespace

bool is_auto_vocab_size(const TokenizerConfig& config) {
  return config.vocab_size == TokenizerConfig::automatic_size;
}

bool is_auto_batch_size(const TrainingConfig& config) { return config.batch_size == 0; }

bool is_auto_max_steps(const TrainingConfig& config) {
  return config.max_steps == TrainingConfig::automatic_steps;
}

bool has_default_valid_steps(const TrainingConfig& config) {
  return config.valid_steps == TrainingConfig{}.valid_steps;
}

bool has_default_warmup_steps(const TrainingConfig& config) {
  return config.warmup_steps == TrainingConfig{}.warmup_steps;
}

Config with_fitted_numbers(Config config, const Config& previous) {
  auto& training = config.training;
  if (is_auto_vocab_size(config.tokenizer))
    config.tokenizer.vocab_size = previous.tokenizer.vocab_size;
  if (is_auto_batch_size(training) && previous.training.batch_type == training.batch_type)
    training.batch_size = previous.training.batch_size;
  if (is_auto_max_steps(training)) copy_fitted_steps(training, previous.training);
  const auto problems = violations(config);
  if (!problems.empty())
    throw ConfigError(
        "", to_text(problems.front()),
        "An automatic training.batch_size or training.max_steps comes from the run's first "
        "session. Set it in the config, or change the other field back.");
  return config;
}

}  // namespace tfm

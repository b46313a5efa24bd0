#include "tfm/run/fitted_numbers.h"

#include "tfm/config/validate.h"
#include "tfm/core/error.h"

namespace tfm {

bool is_auto_vocab_size(const TokenizerConfig& config) {
  return config.vocab_size == TokenizerConfig::automatic_size;
}

bool is_auto_batch_size(const TrainingConfig& config) { return config.batch_size == 0; }

bool is_auto_max_steps(const TrainingConfig& config) {
  return config.max_steps == TrainingConfig::automatic_steps;
}

Config with_fitted_numbers(Config config, const Config& previous) {
  auto& training = config.training;
  if (is_auto_vocab_size(config.tokenizer))
    config.tokenizer.vocab_size = previous.tokenizer.vocab_size;
  if (is_auto_batch_size(training) && previous.training.batch_type == training.batch_type)
    training.batch_size = previous.training.batch_size;
  if (is_auto_max_steps(training)) training.max_steps = previous.training.max_steps;
  const auto problems = violations(config);
  if (!problems.empty())
    throw ConfigError(
        "", to_text(problems.front()),
        "An automatic training.batch_size or training.max_steps comes from the run's first "
        "session. Set it in the config, or change the other field back.");
  return config;
}

}  // namespace tfm

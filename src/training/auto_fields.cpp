#include "auto_fields.h"

#include <algorithm>
#include <limits>

#include "tfm/config/validate.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/data/starting_config.h"
#include "tfm/run/fitted_numbers.h"
#include "tfm/training/auto_batch_size.h"
#include "tfm/training/preflight.h"

namespace tfm {
namespace {

std::int64_t broadcast_value(std::int64_t number, const ProcessGroup& group) {
  return std::stoll(group.broadcast(std::to_string(number)));
}

TimeCosts measure_costs(const TranslationModel& model_spec, const RunTexts& texts,
                        const std::filesystem::path& run_folder) {
  TimeCosts costs;
  auto trial = make_trial_model(model_spec);
  constexpr double share = 0.05, most = 15;  // of the run's time, in seconds
  costs.update =
      measure_update_time(trial, texts.corpus.corpus(),
                          std::min(share * 60 * model_spec.config.training.max_minutes, most));
  if (texts.valid != nullptr) {
    const auto batches = static_cast<double>(batch_count(texts.corpus, model_spec.config));
    const auto pairs = static_cast<double>(texts.corpus.corpus().examples.size());
    const auto accumulated = static_cast<double>(model_spec.config.training.accum_count);
    constexpr double forward_share = 1.0 / 3;  // a backward pass takes twice as long
    const double pair_seconds = forward_share * costs.update / accumulated * batches / pairs;
    costs.validation =
        estimate_validation_time(trial, *texts.valid, texts.valid_lines, pair_seconds);
  }
  costs.checkpoint = estimate_checkpoint_time(trial, run_folder / "timing");
  return costs;
}

/// Returns the number of updates until max_epochs.
std::int64_t count_updates_of_epochs(const CountedCorpus& corpus, Config config,
                                     std::int64_t ranks) {
  config.training.max_steps = 0;
  return planned_updates(corpus, config, ranks).value_or(std::numeric_limits<std::int64_t>::max());
}

TimeCosts measure_before_training(const TranslationModel& model_spec, const RunTexts& texts,
                                  const std::filesystem::path& run_folder) {
  log_info("measuring how many updates fit into max_minutes ({}), which takes up to 20 seconds",
           model_spec.config.training.max_minutes);
  try {
    return measure_costs(model_spec, texts, run_folder);
  } catch (const Interrupted&) {
    throw Interrupted("interrupted while the time of updates was measured: nothing is trained yet",
                      "The same command starts again.");
  }
}

/// Replaces max_steps, and valid_steps and warmup_steps if the plan changes them.
MeasuredPlan fit_steps(const TranslationModel& model_spec, const RunTexts& texts,
                       const std::filesystem::path& run_folder, std::int64_t ranks,
                       TrainingConfig& training) {
  MeasuredPlan measured{
      .costs = measure_before_training(model_spec, texts, run_folder),
      .most_steps = count_updates_of_epochs(texts.corpus, model_spec.config, ranks)};
  const auto plan = plan_for_minutes(training, measured.costs, measured.most_steps);
  measured.time_steps = plan.time_steps;
  Config config = model_spec.config;
  config.training.max_steps = plan.max_steps;
  config.training.valid_steps = plan.valid_steps;
  config.training.warmup_steps = plan.warmup_steps;
  const auto problems = violations(config);
  if (problems.empty()) {
    for (const auto& line : describe_plan(training, plan)) log_info("{}", line);
    training = config.training;
    return measured;
  }
  throw ConfigError("training.max_steps",
                    fmt::format("{} minutes are enough for {} updates here", training.max_minutes,
                                plan.max_steps),
                    "Too few: " + to_text(problems.front()) + ".");
}

/// Limits the number of updates that an earlier session determined for another max_epochs.
void limit_steps(const CountedCorpus& corpus, std::int64_t ranks, Config& config) {
  const auto most = count_updates_of_epochs(corpus, config, ranks);
  if (config.training.max_steps <= most) return;
  config.training.max_steps = most;
  log_info("training.max_steps: {} at most, for max_epochs {}", most, config.training.max_epochs);
}

}  // namespace

RunTexts::RunTexts(const CountedCorpus& training, const std::optional<ParallelText>& validation,
                   const std::vector<std::pair<std::string, ParallelText>>& others,
                   const TrainingConfig& config)
    : corpus(training), valid(validation ? &*validation : nullptr) {
  const auto count = [&](const ParallelText& set) {
    const auto lines = std::ssize(set.source);
    return config.valid_sentences > 0 ? std::min(lines, config.valid_sentences) : lines;
  };
  if (valid != nullptr) valid_lines = count(*valid);
  for (const auto& [name, set] : others) valid_lines += count(set);
}

std::int64_t automatic_vocab_size(const TokenizerConfig& config, std::int64_t bytes) {
  const bool is_learnt = config.kind == TokenizerKind::sentencepiece &&
                         config.source_vocab.empty() && config.target_vocab.empty();
  if (!is_learnt) return TokenizerConfig{}.vocab_size;
  const auto size = choose_vocab_size(config.joint ? bytes : bytes / 2, config.byte_fallback);
  if (size == 0)
    throw ConfigError("tokenizer.vocab_size",
                      fmt::format("{} bytes of text are too few to learn subwords from", bytes),
                      "Use more text, or set tokenizer.kind to word.");
  log_info("tokenizer.vocab_size: {}, chosen for {} bytes of text", size, bytes);
  return size;
}

void broadcast_auto_fields(Config& config, const ProcessGroup& group) {
  for (auto* number :
       {&config.tokenizer.vocab_size, &config.training.batch_size, &config.training.max_steps,
        &config.training.valid_steps, &config.training.warmup_steps})
    *number = broadcast_value(*number, group);
}

std::optional<MeasuredPlan> resolve_auto_fields(TranslationModel& model, const RunTexts& texts,
                                                const std::filesystem::path& run_folder,
                                                const ProcessGroup& group, bool has_fitted_steps) {
  auto& training = model.config.training;
  const bool batches = is_auto_batch_size(training);
  const bool steps = is_auto_max_steps(training);
  if (!batches && !has_fitted_steps) return std::nullopt;
  std::optional<MeasuredPlan> measured;
  if (steps) measured.emplace();
  if (group.is_main()) {
    if (batches) {
      log_info("searching for the largest batch that fits into memory");
      training.batch_size = find_batch_size(model, texts.corpus, group.environment().local_size);
    }
    if (steps) measured = fit_steps(model, texts, run_folder, group.size(), training);
    if (has_fitted_steps && !steps) limit_steps(texts.corpus, group.size(), model.config);
  }
  broadcast_auto_fields(model.config, group);
  if (batches)
    log_info("training.batch_size: {} {}", training.batch_size,
             training.batch_type == BatchType::tokens ? "tokens" : "pairs");
  return measured;
}

}  // namespace tfm

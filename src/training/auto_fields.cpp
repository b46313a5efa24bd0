#include "auto_fields.h"

#include "tfm/config/config_file.h"
#include "tfm/config/validate.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/data/starting_config.h"
#include "tfm/run/fitted_numbers.h"
#include "tfm/training/auto_batch_size.h"
#include "tfm/training/preflight.h"

namespace tfm {
namespace {

std::int64_t count_bytes(const std::vector<std::string>& lines) {
  std::int64_t bytes = 0;
  for (const auto& line : lines) bytes += std::ssize(line);
  return bytes;
}

std::int64_t broadcast_value(std::int64_t number, const ProcessGroup& group) {
  return std::stoll(group.broadcast(std::to_string(number)));
}

std::int64_t fit_steps(const TranslationModel& model_spec, const Corpus& corpus) {
  Config config = model_spec.config;
  auto& training = config.training;
  log_info("measuring how many updates fit into {} minutes, which takes up to 20 seconds",
           training.max_minutes);
  auto trial = make_trial_model(model_spec);
  training.max_steps = steps_for_minutes(training.max_minutes, measure_update_time(trial, corpus));
  const auto problems = violations(config);
  if (problems.empty()) return training.max_steps;
  throw ConfigError("training.max_steps",
                    fmt::format("{} minutes are enough for {} updates here", training.max_minutes,
                                training.max_steps),
                    "Too few: " + to_text(problems.front()) + ".");
}

}  // namespace

std::int64_t automatic_vocab_size(const TokenizerConfig& config, const ParallelText& text) {
  const bool is_learnt = config.kind == TokenizerKind::sentencepiece &&
                         config.source_vocab.empty() && config.target_vocab.empty();
  if (!is_learnt) return TokenizerConfig{}.vocab_size;
  const auto bytes = count_bytes(text.source) + count_bytes(text.target);
  const auto size = choose_vocab_size(config.joint ? bytes : bytes / 2);
  if (size == 0)
    throw ConfigError("tokenizer.vocab_size",
                      fmt::format("{} bytes of text are too few to learn subwords from", bytes),
                      "Use more text, or set tokenizer.kind to word.");
  log_info("tokenizer.vocab_size: {}, chosen for {} bytes of text", size, bytes);
  return size;
}

void broadcast_auto_fields(Config& config, const ProcessGroup& group) {
  for (auto* number :
       {&config.tokenizer.vocab_size, &config.training.batch_size, &config.training.max_steps})
    *number = broadcast_value(*number, group);
}

void resolve_auto_fields(TranslationModel& model, const Corpus& corpus,
                         const std::filesystem::path& run_folder, const ProcessGroup& group) {
  auto& training = model.config.training;
  const bool batches = is_auto_batch_size(training);
  const bool steps = is_auto_max_steps(training);
  if (!batches && !steps) return;
  if (group.is_main()) {
    if (batches) {
      log_info("searching for the largest batch that fits into memory");
      training.batch_size = find_batch_size(model, corpus, group.environment().local_size);
    }
    if (steps) training.max_steps = fit_steps(model, corpus);
    write_file(run_folder / config_file, write_config(model.config));
  }
  broadcast_auto_fields(model.config, group);
  if (batches)
    log_info("training.batch_size: {} {}", training.batch_size,
             training.batch_type == BatchType::tokens ? "tokens" : "pairs");
  if (steps) log_info("training.max_steps: {}", training.max_steps);
}

}  // namespace tfm

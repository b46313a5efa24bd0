#include <fmt/format.h>

#include <algorithm>

#include "tfm/core/atomic_file.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"
#include "tfm/core/memory.h"
#include "tfm/tensor/parameter_summary.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/auto_batch_size.h"
#include "tfm/training/preflight.h"
#include "tfm/training/trainer.h"
#include "tfm/training/validator.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// The trainer's own lines would bury the rehearsal's result.
class QuietLogGuard {
 public:
  QuietLogGuard() : before_(spdlog::get_level()) {
    spdlog::set_level(std::max(before_, spdlog::level::warn));
  }
  ~QuietLogGuard() { spdlog::set_level(before_); }
  QuietLogGuard(const QuietLogGuard&) = delete;
  QuietLogGuard& operator=(const QuietLogGuard&) = delete;

 private:
  spdlog::level::level_enum before_;
};

/// A training that ends after two updates.
Config short_run(Config config) {
  auto& training = config.training;
  training.max_steps = 2;
  training.accum_count = 1;
  training.max_epochs = 0;
  training.max_minutes = 0;
  training.valid_steps = training.save_steps = training.early_stopping =
      training.average_checkpoints = 0;
  training.save_minutes = 0;
  return config;
}

class Preflight {
 public:
  Preflight(TranslationModel& model, const Corpus& corpus, const fs::path& scratch)
      : model_(model), corpus_(corpus), config_(model.config), folder_(scratch / "some") {}

  std::string longest() const {
    const auto indices = longest_batch(corpus_, config_);
    return fmt::format("{} pairs of up to {} tokens", indices.size(),
                       corpus_.examples[static_cast<std::size_t>(indices[0])].length());
  }

  /// Whether it fits into memory as it is.
  bool try_longest_batch() {
    spdlog::info("trying the longest batch: {}", longest());  // before it fails for want of memory
    const QuietLogGuard quiet;
    return longest_batch_fits(model_, corpus_);
  }

  /// Bytes of a checkpoint, which is read back.
  double check_checkpoint() {
    train();
    const auto checkpoint = Checkpoints(folder_).list().back();
    StateDict before;
    for (const auto& [name, tensor] : state_dict(*model_.network)) before[name] = tensor.clone();
    const QuietLogGuard quiet;
    const ProcessGroup group;
    TrainingCorpus examples(corpus_);
    Trainer(model_, examples, nullptr, folder_, group).resume(checkpoint, {});
    for (const auto& [name, tensor] : state_dict(*model_.network)) {
      if (!tensor.equal(before.at(name)))
        throw ModelError(checkpoint.string(), name + " was not read back as it was written",
                         "Check the disk.");
    }
    double bytes = 0;
    for (const auto& entry : fs::directory_iterator(checkpoint))
      bytes += static_cast<double>(entry.file_size());
    return bytes;
  }

  /// Seconds of one validation, from some of its lines.
  double time_validation(const Validator& valid, std::size_t some) {
    const auto& source = valid.text().source;
    const auto tried = std::min(source.size(), some);
    const double begin = steady_seconds();
    Translator(model_, validation_decoding_config(config_))
        .translate({source.begin(), source.begin() + static_cast<std::ptrdiff_t>(tried)},
                   {.interruptible = true});
    return (steady_seconds() - begin) * static_cast<double>(valid.line_count()) /
           static_cast<double>(tried);
  }

 private:
  void train() {
    const QuietLogGuard quiet;
    const ProcessGroup group;
    make_folder(folder_);
    model_.config = short_run(config_);
    TrainingCorpus examples(corpus_);
    Trainer trainer(model_, examples, nullptr, folder_, group);
    trainer.begin({});
    trainer.run();
    model_.config = config_;
  }

  TranslationModel& model_;
  const Corpus& corpus_;
  const Config config_;
  fs::path folder_;  // of the short training
};

std::string text_lines(const Corpus& corpus) {
  const auto side = [](const char* name, std::int64_t tokens, std::int64_t unknown) {
    return fmt::format("  {:<20} {} tokens, {:.2f}% unknown to the vocabulary\n", name, tokens,
                       100.0 * static_cast<double>(unknown) /
                           static_cast<double>(std::max<std::int64_t>(1, tokens)));
  };
  return fmt::format("  {:<20} {}\n", "pairs", corpus.examples.size()) +
         side("source", corpus.source_tokens, corpus.source_unknown) +
         side("target", corpus.target_tokens, corpus.target_unknown) +
         "  tokens of the longer side, pairs:\n" + length_histogram(corpus);
}

std::string time_line(const Corpus& corpus, const Config& config, double update,
                      double validation) {
  const auto& training = config.training;
  const auto updates = planned_updates(corpus, config);
  double seconds = training.max_minutes > 0 ? training.max_minutes * 60 : 0;
  if (updates) {
    const auto every = training.valid_steps > 0 ? training.valid_steps : *updates;
    const double needed =
        static_cast<double>(*updates) * update +
        static_cast<double>(*updates / std::max<std::int64_t>(1, every)) * validation;
    seconds = seconds > 0 ? std::min(seconds, needed) : needed;
  }
  const auto limit = updates ? fmt::format("{} updates", *updates) : "max_minutes";
  return fmt::format("  {:<20} about {} in all ({}, validations included)\n", "time",
                     format_duration(seconds), limit);
}

}  // namespace

/// The median, so that neither the first ones, which find memory and compile kernels, nor another
/// program's moment count.
double measure_update_time(TranslationModel& model, const Corpus& corpus) {
  constexpr std::size_t least_updates = 3, most_updates = 24;
  constexpr double most_seconds = 15;
  const QuietLogGuard quiet;
  const ProcessGroup alone;
  TrainingCorpus examples(corpus);
  Trainer trainer(model, examples, nullptr, {}, alone);
  std::vector<double> times;
  const double end = steady_seconds() + most_seconds;
  while (times.size() < least_updates || (times.size() < most_updates && steady_seconds() < end)) {
    const double start = steady_seconds();
    trainer.run_updates(1);
    times.push_back(steady_seconds() - start);
  }
  const auto middle = times.begin() + std::ssize(times) / 2;
  std::ranges::nth_element(times, middle);
  return *middle;
}

constexpr const char* too_large =
    "do not fit into memory; trained on in parts, slowly (lower training.batch_size)";

void run_preflight(const TranslationModel& described, const Corpus& corpus, const Validator* valid,
                   const fs::path& run_folder) {
  try {
    auto trial = trial_of(described);
    check_disk(estimate_disk_usage(trial.config.training, trial.network->parameter_count()),
               free_space(run_folder), run_folder);
    const ScratchFolder scratch(run_folder / "preflight");
    // all that is tried on: a copy of a large text takes memory
    const auto longest = only_longest_batch(corpus, trial.config);
    Preflight rehearsal(trial, longest, scratch.path());
    if (!rehearsal.try_longest_batch()) spdlog::warn("{} {}", rehearsal.longest(), too_large);
    if (valid != nullptr) rehearsal.time_validation(*valid, /*some=*/4);
    rehearsal.check_checkpoint();
  } catch (const Interrupted&) {  // the run sees to that
  }
  release_cached_memory();
}

std::string dry_run_report(TranslationModel& model, const Corpus& corpus, const Validator* valid,
                           const fs::path& scratch, const fs::path& run_folder) {
  const auto config = model.config;
  model.config = trial_of(config);
  const double space = free_space(run_folder);  // before the rehearsal takes some of it
  reset_peak_memory();
  const auto parts = summarize_parameters(state_dict(*model.network));
  const auto parameters = model.network->parameter_count();
  Preflight rehearsal(model, corpus, scratch);
  const bool fits = rehearsal.try_longest_batch();
  const double update = measure_update_time(model, corpus);
  const double tokens = static_cast<double>((corpus.source_tokens + corpus.target_tokens) *
                                            config.training.accum_count) /
                        static_cast<double>(std::max<std::int64_t>(1, batch_count(corpus, config)));
  auto need = estimate_disk_usage(config.training, parameters);
  check_disk(need, space, run_folder);
  need.checkpoint = rehearsal.check_checkpoint();
  const double validation = valid != nullptr ? rehearsal.time_validation(*valid, /*some=*/32) : 0;
  if (valid != nullptr) valid->probe_peak_memory(model);
  const auto line = [](const char* name, const std::string& text) {
    return fmt::format("  {:<20} {}\n", name, text);
  };
  std::string report = "parameters\n" + format_parameter_summary(parts) + "\ntraining text\n" +
                       text_lines(corpus) + "\nrehearsed\n";
  report += line("longest batch", rehearsal.longest() + ": " + (fits ? "fit" : too_large));
  report += line("memory", format_bytes(peak_memory()) +
                               " at most (of the machine; a GPU's own is not counted)");
  report +=
      line("speed", fmt::format("{:.0f} tokens/s, {:.3f} s an update", tokens / update, update));
  if (valid != nullptr)
    report += line("validation", fmt::format("about {} each, with a model that knows nothing yet",
                                             format_duration(validation)));
  report += line("checkpoint", format_bytes(need.checkpoint) + ", read back as it was written");
  report += line("disk", fmt::format("{} needed for {}, {} free", format_bytes(need.all()),
                                     run_folder.string(), format_bytes(space)));
  report += time_line(corpus, config, update, validation);
  return report;
}

}  // namespace tfm

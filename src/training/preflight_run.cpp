#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "scratch_training.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/core/memory.h"
#include "tfm/core/progress_line.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/tensor/parameter_summary.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/checkpoint_contents.h"
#include "tfm/training/preflight.h"
#include "tfm/training/validator.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr const char* too_large =
    "do not fit into memory and will be split, which is slow (lower training.batch_size)";

/// Performs the steps of a run on the given model and changes its weights.
class Preflight {
 public:
  /// Files are written to `scratch`. Model and corpus must outlive this object.
  Preflight(TranslationModel& model, const CountedCorpus& corpus, const fs::path& scratch)
      : model_(model),
        corpus_(corpus.corpus()),
        folder_(scratch / "some"),
        longest_(longest_batch(corpus, batcher_options(model.config, corpus.corpus()))) {}

  std::string describe_longest_batch() const {
    return fmt::format("{} pairs of up to {} tokens", longest_.size(),
                       corpus_.examples[static_cast<std::size_t>(longest_[0])].length());
  }

  /// Returns whether the longest batch fits into memory without being split.
  bool try_longest_batch() {
    // Logged first, because the attempt may fail for lack of memory.
    log_info("trying the longest batch: {}", describe_longest_batch());
    return batch_fits(model_, corpus_, longest_);
  }

  /// Makes one update per batch, saves a checkpoint and reads it back. Returns the size of the
  /// checkpoint in bytes.
  double check_checkpoint(std::span<const BatchIndices> batches) {
    const auto checkpoint = save_checkpoint(batches);
    check_read_back(checkpoint);
    double bytes = 0;
    for (const auto& entry : fs::directory_iterator(checkpoint))
      bytes += static_cast<double>(entry.file_size());
    return bytes;
  }

  /// Returns the time of one validation in seconds, estimated from translating the first `some`
  /// lines of the first set.
  double time_validation(const Validator& valid, std::size_t some) {
    const auto& source = valid.text().source;
    const auto tried = std::min(source.size(), some);
    const double begin = steady_seconds();
    Translator(model_, validation_decoding_config(model_.config))
        .translate({source.begin(), source.begin() + static_cast<std::ptrdiff_t>(tried)},
                   {.interruptible = true});
    return (steady_seconds() - begin) * static_cast<double>(valid.line_count()) /
           static_cast<double>(tried);
  }

 private:
  /// Makes one update per batch and writes the files of a finished run: a checkpoint and the
  /// weights. Returns the checkpoint's folder.
  fs::path save_checkpoint(std::span<const BatchIndices> batches) {
    make_folder(folder_);
    ScratchTraining scratch(model_, corpus_);
    for (const auto& batch : batches) {
      throw_if_interrupted("the preflight");
      scratch.update({&batch, 1});
    }
    TrainerState state;
    state.step = std::ssize(batches);
    const CheckpointStore checkpoints(folder_);
    checkpoints.save(state, [&](const fs::path& folder) {
      write_tensors(folder, model_.network, scratch.optimizer());
    });
    write_safetensors(folder_ / weights_file, state_dict(*model_.network));
    return checkpoints.list().back();
  }

  /// Throws ModelError if the weights of the checkpoint differ from those in memory.
  void check_read_back(const fs::path& checkpoint) {
    StateDict before;
    for (const auto& [name, tensor] : state_dict(*model_.network)) before[name] = tensor.clone();
    Optimizer optimizer(model_.config.training, *model_.network);
    CheckpointStore::load(checkpoint, [&](const fs::path& folder) {
      read_tensors(folder, model_.network, optimizer);
    });
    for (const auto& [name, tensor] : state_dict(*model_.network)) {
      if (!tensor.equal(before.at(name)))
        throw ModelError(checkpoint.string(), name + " was not read back as it was written",
                         "Check the disk.");
    }
  }

  TranslationModel& model_;
  const Corpus& corpus_;
  fs::path folder_;
  BatchIndices longest_;
};

/// The measurements of a dry run.
struct RunMeasurements {
  std::string longest_batch;  ///< e.g. "12 pairs of up to 40 tokens"
  bool longest_fits = false;
  bool is_plan = false;  ///< whether the times are those that determined the number of updates
  double update_seconds = 0;
  std::optional<double> validation_seconds;  ///< for one validation; nullopt if there is none
  DiskUsage disk;
  double free_space = 0;   ///< free bytes on the disk before the dry run wrote files
  double peak_memory = 0;  ///< largest size of the process in main memory, in bytes
};

RunMeasurements measure_run(TranslationModel& model, const CountedCorpus& counted,
                            const Validator* valid, const DryRunPlaces& places) {
  const Corpus& corpus = counted.corpus();
  RunMeasurements found;
  found.free_space = free_space(places.run_folder);
  reset_peak_memory();
  Preflight preflight(model, counted, places.scratch);
  found.longest_batch = preflight.describe_longest_batch();
  found.longest_fits = preflight.try_longest_batch();
  found.is_plan = places.costs.has_value();
  found.update_seconds = places.costs ? places.costs->update : measure_update_time(model, corpus);
  const auto& config = model.config;
  found.disk = estimate_disk_usage(config.training, model.network->parameter_count());
  check_disk(found.disk, found.free_space, places.run_folder);
  Batcher batcher(corpus, batcher_options(config, corpus));
  found.disk.checkpoint = preflight.check_checkpoint(
      next_update_batches(batcher, /*accum_count=*/2, /*rank=*/0, /*ranks=*/1));
  if (valid != nullptr) {
    found.validation_seconds =
        places.costs ? places.costs->validation : preflight.time_validation(*valid, /*some=*/32);
    valid->probe_peak_memory(model);
  }
  found.peak_memory = peak_memory();
  return found;
}

std::string report_line(const char* name, const std::string& text) {
  return fmt::format("  {:<20} {}\n", name, text);
}

std::string text_lines(const CountedCorpus& counted) {
  const Corpus& corpus = counted.corpus();
  const auto side = [](const char* name, std::int64_t tokens, std::int64_t unknown) {
    return report_line(name,
                       fmt::format("{} tokens, {:.2f}% unknown to the vocabulary", tokens,
                                   100.0 * static_cast<double>(unknown) /
                                       static_cast<double>(std::max<std::int64_t>(1, tokens))));
  };
  return report_line("pairs", fmt::format("{}", corpus.examples.size())) +
         side("source", corpus.source_tokens, corpus.source_unknown) +
         side("target", corpus.target_tokens, corpus.target_unknown) +
         "  tokens of the longer side, pairs:\n" + length_histogram(counted);
}

/// Returns the mean number of source and target tokens per update.
double tokens_per_update(const CountedCorpus& corpus, const Config& config) {
  const auto tokens = corpus.corpus().source_tokens + corpus.corpus().target_tokens;
  return static_cast<double>(tokens * config.training.accum_count) /
         static_cast<double>(std::max<std::int64_t>(1, batch_count(corpus, config)));
}

std::string measurement_lines(const RunMeasurements& found, const CountedCorpus& corpus,
                              const Config& config) {
  auto lines = report_line("longest batch",
                           found.longest_batch + ": " + (found.longest_fits ? "fit" : too_large));
  lines += report_line("memory", format_bytes(found.peak_memory) +
                                     " at most (main memory; GPU memory is not included)");
  lines +=
      report_line("speed", fmt::format("{:.0f} tokens/s, {:.3f} s per update",
                                       tokens_per_update(corpus, config) / found.update_seconds,
                                       found.update_seconds));
  if (found.validation_seconds)
    lines += report_line("validation", fmt::format("about {} each, with an untrained model",
                                                   format_duration(*found.validation_seconds)));
  return lines + report_line("checkpoint",
                             format_bytes(found.disk.checkpoint) + ", read back as it was written");
}

std::string time_line(const CountedCorpus& corpus, const Config& config,
                      const RunMeasurements& found) {
  const auto& training = config.training;
  const double limit = training.max_minutes * 60;  // in seconds; 0 means no limit
  const auto updates = planned_updates(corpus, config, /*ranks=*/1);
  if (!updates)
    return report_line("time", fmt::format("about {} in total (max_minutes, including validations)",
                                           format_duration(limit)));
  const auto every = training.valid_steps > 0 ? training.valid_steps : *updates;
  const auto validations = *updates / std::max<std::int64_t>(1, every);
  const double needed = static_cast<double>(*updates) * found.update_seconds +
                        static_cast<double>(validations) * found.validation_seconds.value_or(0);
  const auto whole =
      fmt::format("{} updates, including validations{}", *updates,
                  found.is_plan ? "; a run measures again, and corrects the number early" : "");
  if (limit == 0 || needed <= limit)
    return report_line("time",
                       fmt::format("about {} in total ({})", format_duration(needed), whole));
  return report_line(
      "time", fmt::format("{} (max_minutes), which ends the run near update {}: {} would take {}",
                          format_duration(limit),
                          static_cast<std::int64_t>(static_cast<double>(*updates) * limit / needed),
                          whole, format_duration(needed)));
}

/// Translates the first `lines` lines of the text. The translations are about as long as their
/// source lines, because an untrained model does not end them.
void translate_shortly(TranslationModel& model, const ParallelText& text, std::size_t lines) {
  auto decoding = validation_decoding_config(model.config);
  decoding.max_length_factor = 1;
  const auto& source = text.source;
  Translator(model, decoding)
      .translate({source.begin(), source.begin() + static_cast<std::ptrdiff_t>(lines)},
                 {.interruptible = true});
}

}  // namespace

/// Returns the median, which ignores slow updates: the first, which allocate memory and compile
/// kernels, and those slowed down by other programs.
double measure_update_time(TranslationModel& model, const Corpus& corpus, double seconds) {
  constexpr std::size_t min_updates = 3, enough_updates = 24;
  constexpr double max_seconds = 15;
  ScratchTraining scratch(model, corpus);
  Batcher batcher(corpus, batcher_options(model.config, corpus));
  const auto accum_count = model.config.training.accum_count;
  std::vector<double> times;
  const double begin = steady_seconds();
  const double end = begin + max_seconds;
  ProgressLine line;
  const auto is_enough = [&] {
    const double now = steady_seconds();
    return now >= end || (times.size() >= enough_updates && now >= begin + seconds);
  };
  while (times.size() < min_updates || !is_enough()) {
    throw_if_interrupted("the timing of updates");
    const double start = steady_seconds();
    if (line.is_due(start))
      line.show(fmt::format("timing updates: {}, {} left at most", times.size(),
                            format_duration(end - start)));
    scratch.update(next_update_batches(batcher, accum_count, /*rank=*/0, /*ranks=*/1));
    times.push_back(steady_seconds() - start);
  }
  const auto middle = times.begin() + std::ssize(times) / 2;
  std::ranges::nth_element(times, middle);
  return *middle;
}

double estimate_validation_time(TranslationModel& model, const ParallelText& valid,
                                std::int64_t lines, double loss_seconds) {
  constexpr std::size_t most = 32;
  const auto tried = std::min(valid.source.size(), most);
  const double begin = steady_seconds();
  translate_shortly(model, valid, tried);
  const double line_seconds = (steady_seconds() - begin) / static_cast<double>(tried);
  return static_cast<double>(lines) * (line_seconds + loss_seconds);
}

double estimate_checkpoint_time(const TranslationModel& model, const fs::path& scratch) {
  constexpr double tensors_per_weight = 3;  // the weight and Adam's two moments
  const ScratchFolder folder(scratch);
  const double begin = steady_seconds();
  write_safetensors(folder.path() / weights_file, state_dict(*model.network));
  return tensors_per_weight * (steady_seconds() - begin);
}

bool run_preflight(const TranslationModel& model_spec, const CountedCorpus& corpus,
                   const Validator* valid) {
  auto trial = make_trial_model(model_spec);
  Preflight preflight(trial, corpus, /*scratch=*/{});
  const bool fits = preflight.try_longest_batch();
  if (!fits) log_warn("{} {}", preflight.describe_longest_batch(), too_large);
  if (valid != nullptr) translate_shortly(trial, valid->text(), /*lines=*/1);
  return fits;
}

std::string dry_run_report(TranslationModel& model, const CountedCorpus& corpus,
                           const Validator* valid, const DryRunPlaces& places) {
  const auto found = measure_run(model, corpus, valid, places);
  return "parameters\n" +
         format_parameter_summary(summarize_parameters(state_dict(*model.network))) +
         "\ntraining text\n" + text_lines(corpus) + "\nmeasurements\n" +
         measurement_lines(found, corpus, model.config) +
         report_line("disk",
                     fmt::format("{} needed for {}, {} free", format_bytes(found.disk.all()),
                                 places.run_folder.string(), format_bytes(found.free_space))) +
         time_line(corpus, model.config, found);
}

}  // namespace tfm

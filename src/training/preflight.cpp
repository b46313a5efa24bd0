#include "tfm/training/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

}  // namespace

DiskUsage estimate_disk_usage(const TrainingConfig& config, std::int64_t parameters) {
  constexpr double bytes_of_fp32 = 4;
  // SGD stores one momentum per weight, other optimizers store two moments. ema_decay adds an
  // average of each weight.
  const double states =
      (config.optimizer == OptimizerKind::sgd ? 1 : 2) + (config.ema_decay > 0 ? 1 : 0);
  DiskUsage need;
  need.model = bytes_of_fp32 * static_cast<double>(parameters);
  need.checkpoint = need.model * (1 + states);
  // Two more may exist: one that an interruption saved, and one that is being written.
  need.checkpoints = config.keep_checkpoints + 2;
  return need;
}

fs::path nearest_existing_folder(const fs::path& run_folder) {
  auto folder = fs::absolute(run_folder);
  while (!fs::exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

double free_space(const fs::path& run_folder) {
  double taken = 0;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(run_folder / "checkpoints", none)) {
    if (entry.is_regular_file(none)) taken += static_cast<double>(entry.file_size(none));
  }
  return taken + static_cast<double>(fs::space(nearest_existing_folder(run_folder)).available);
}

void check_disk(const DiskUsage& need, double space, const fs::path& run_folder) {
  const auto message = fmt::format("{} free for {}", format_bytes(space), run_folder.string());
  if (space < need.model + need.checkpoint) {
    throw ModelError(
        run_folder.string(),
        fmt::format("only {} is free, but a checkpoint takes {} and the model {}",
                    format_bytes(space), format_bytes(need.checkpoint), format_bytes(need.model)),
        "Free some space, or choose another training.run_folder.");
  }
  if (space < need.all()) {
    log_warn("{}, but the run will need {}. Free some space, or lower training.keep_checkpoints.",
             message, format_bytes(need.all()));
  } else {
    log_debug("{}; the run will need {}", message, format_bytes(need.all()));
  }
}

std::string length_histogram(const CountedCorpus& corpus) {
  constexpr std::int64_t narrowest = 4, widest_bar = 40;
  std::map<std::int64_t, std::int64_t> classes;  // pairs by the longest length of their class
  const auto& counts = corpus.lengths(/*fixed_length=*/0);
  for (std::int64_t length = 0; length < std::ssize(counts); ++length) {
    std::int64_t end = narrowest;
    while (end < length) end *= 2;
    if (const auto count = counts[static_cast<std::size_t>(length)]; count > 0)
      classes[end] += count;
  }
  std::int64_t most = 1;
  for (const auto& [end, count] : classes) most = std::max(most, count);
  std::string lines;
  for (const auto& [end, count] : classes) {
    const auto begin = end == narrowest ? 1 : end / 2 + 1;
    lines += fmt::format("  {:>6}-{:<6}{:>12}  {}\n", begin, end, count,
                         std::string(static_cast<std::size_t>(count * widest_bar / most), '#'));
  }
  return lines;
}

std::int64_t batch_count(const CountedCorpus& corpus, const Config& config) {
  const auto options = batcher_options(config, corpus.corpus());
  return count_sorted_batches(corpus.lengths(options.fixed_length), options.type, options.size);
}

std::int64_t count_batches(const CountedCorpus& corpus, const Config& config, std::int64_t epochs) {
  const auto mixture = mixture_of(corpus.corpus(), batcher_options(config, corpus.corpus()));
  const auto pairs = static_cast<double>(mixture.size_of_epochs(epochs));
  const auto whole = static_cast<double>(batch_count(corpus, config));
  return std::llround(whole * pairs / static_cast<double>(corpus.corpus().examples.size()));
}

std::optional<std::int64_t> planned_updates(const CountedCorpus& corpus, const Config& config,
                                            std::int64_t ranks) {
  const auto& training = config.training;
  std::optional<std::int64_t> updates;
  if (training.max_steps > 0) updates = training.max_steps;
  if (training.max_epochs > 0) {
    const auto batches = count_batches(corpus, config, training.max_epochs);
    const auto per_update = training.accum_count * ranks;
    const auto by_epochs = (batches + per_update - 1) / per_update;
    updates = std::min(updates.value_or(by_epochs), by_epochs);
  }
  return updates;
}

TranslationModel make_trial_model(const TranslationModel& model_spec) {
  TranslationModel model = model_spec;
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  model.network->to(model.device);
  return model;
}

}  // namespace tfm

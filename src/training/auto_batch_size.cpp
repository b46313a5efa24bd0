#include "tfm/training/auto_batch_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scratch_training.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"
#include "tfm/core/memory.h"
#include "tfm/core/progress_line.h"
#include "tfm/tensor/device.h"
#include "tfm/training/preflight.h"

namespace tfm {
namespace {

/// A batch size and its peak memory.
struct Point {
  std::int64_t size = 0;
  double peak = 0;
};

/// Returns the bytes per additional token (or sentence pair); 0 if there is only one measurement or
/// the peak did not grow.
double bytes_per_unit(const Point& before, const Point& last) {
  if (before.size == 0 || last.peak <= before.peak) return 0;
  return (last.peak - before.peak) / static_cast<double>(last.size - before.size);
}

std::int64_t round_down(std::int64_t size, std::int64_t step) { return size / step * step; }

}  // namespace

std::int64_t largest_batch_that_fits(const BatchSizeRange& sizes, double budget,
                                     const TryBatch& attempt) {
  Point before;
  Point last;
  for (std::int64_t size = sizes.smallest;;) {
    const auto trial = attempt(size);
    if (!trial.fits || trial.peak > budget) {
      const auto between = round_down((last.size + size) / 2, sizes.step);
      const bool may_fit = last.size > 0 && last.peak <= 0 && between > last.size;
      return may_fit && attempt(between).fits ? between : last.size;
    }
    before = std::exchange(last, {size, trial.peak});
    const auto next = std::min(2 * size, sizes.largest);
    if (next <= size) return size;
    const double each = bytes_per_unit(before, last);
    const double space = (budget - last.peak) / each;  // not used if `each` is 0
    if (each > 0 && space < static_cast<double>(next - size))
      return size + round_down(static_cast<std::int64_t>(space), sizes.step);
    size = next;
  }
}

BatchSizeRange batch_size_range(const CountedCorpus& corpus, const Config& config) {
  const bool tokens = config.training.batch_type == BatchType::tokens;
  const std::int64_t step = tokens ? 256 : 8;
  std::int64_t all = 0;
  std::int64_t longest = 1;
  const auto& counts = corpus.lengths(config.data.fixed_length);
  for (std::int64_t length = 0; length < std::ssize(counts); ++length)
    all += counts[static_cast<std::size_t>(length)] * (tokens ? length : 1);
  if (tokens) longest = std::max(longest, std::ssize(counts) - 1);
  constexpr std::int64_t min_batches = 16;
  BatchSizeRange sizes{.step = step, .smallest = (longest + step - 1) / step * step, .largest = 0};
  sizes.largest = std::max(sizes.smallest, round_down(all / min_batches, step));
  return sizes;
}

std::int64_t find_batch_size(const TranslationModel& model_spec, const CountedCorpus& corpus,
                             int ranks_here) {
  // Free memory is known only on the CPU. On a GPU, a trial shows whether a batch fits.
  const bool known = uses_host_memory(model_spec.device);
  const double available = available_memory();
  if (known && available <= 0)
    throw ConfigError("training.batch_size", "the system does not report its free memory",
                      "Set training.batch_size to a number.");
  reset_peak_memory();
  const double budget = peak_memory() + 0.8 * available / ranks_here;
  auto options = batcher_options(model_spec.config, corpus.corpus());
  ProgressLine line;
  const auto attempt = [&](std::int64_t size) {
    line.show(fmt::format("trying batch_size {}", size));
    TranslationModel model = make_trial_model(model_spec);
    options.size = size;
    reset_peak_memory();
    BatchTrial trial;
    trial.fits = batch_fits(model, corpus.corpus(), longest_batch(corpus, options));
    if (known) trial.peak = peak_memory();
    log_debug("batch_size {}: {}", size, trial.fits ? format_bytes(trial.peak) : "does not fit");
    return trial;
  };
  const auto sizes = batch_size_range(corpus, model_spec.config);
  const auto size = largest_batch_that_fits(sizes, budget, attempt);
  if (size > 0) return size;
  throw ConfigError(
      "training.batch_size", fmt::format("not even a batch of {} fits into memory", sizes.smallest),
      "Choose a smaller model or data.max_length, or set training.gradient_checkpointing.");
}

}  // namespace tfm

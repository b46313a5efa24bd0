// Implements `training.batch_size: auto`: tries batches of growing size until a larger one would
// not fit into memory. The result is written to the run's config, so that a resumed run keeps it.
#pragma once

#include <cstdint>
#include <functional>

#include "tfm/config/config.h"
#include "tfm/data/length_counts.h"
#include "tfm/model/model_folder.h"

namespace tfm {

/// The result of trying one batch size.
struct BatchTrial {
  bool fits = true;
  double peak = 0;  ///< peak memory of the process in bytes; 0 if unknown, as on a GPU
};
using TryBatch = std::function<BatchTrial(std::int64_t size)>;

struct BatchSizeRange {
  std::int64_t step = 1;  ///< every size is a multiple of `step`
  std::int64_t smallest = 1;
  std::int64_t largest = 1;
};

/// Searches for the largest size that fits and stays within `budget` bytes. Returns the largest
/// size found, or 0 if the smallest one does not fit. Doubles the size after each success, up to
/// sizes.largest. If the last two peaks, extrapolated linearly, put the next size over the budget,
/// returns the size that the extrapolation allows, without trying it. If peaks are unknown and a
/// size does not fit, also tries the midpoint between that size and the largest that fitted.
std::int64_t largest_batch_that_fits(const BatchSizeRange& sizes, double budget,
                                     const TryBatch& attempt);

/// Returns the range of sizes to try. The smallest has room for the longest sentence pair. The
/// largest is a sixteenth of the training data, so that an epoch has enough updates, but not less
/// than the smallest.
BatchSizeRange batch_size_range(const CountedCorpus& corpus, const Config& config);

/// Returns the largest batch_size at which the longest batch of the corpus fits into memory. On the
/// CPU, a batch may use four fifths of the free memory, shared by the `ranks_here` ranks of this
/// machine. model_spec has config, tokenizers and device, but no network. Each trial trains a new
/// network, initialised from the global random generators. Throws ConfigError if no batch fits, or
/// if the device is the CPU and the system does not report its free memory.
std::int64_t find_batch_size(const TranslationModel& model_spec, const CountedCorpus& corpus,
                             int ranks_here);

}  // namespace tfm

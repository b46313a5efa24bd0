// training.batch_size: auto. Tries batches of growing size until a larger one would not fit into
// memory. The size that is found is written to the run's config, so that a resumed run keeps it.
#pragma once

#include <cstdint>
#include <functional>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"

namespace tfm {

/// The memory that a batch of some size took.
struct BatchTrial {
  bool fits = true;
  double peak = 0;  ///< bytes of the whole process; 0 if unknown, as on a GPU
};
using TryBatch = std::function<BatchTrial(std::int64_t size)>;

struct BatchSizeRange {
  std::int64_t step = 1;  ///< sizes are multiples of it
  std::int64_t smallest = 1;
  std::int64_t largest = 1;
};

/// Returns the largest size whose trial fits and stays within `budget` bytes; 0 if not even the
/// smallest does. Sizes double. When the next size would exceed the budget, or did, the line
/// through the last two peaks gives the last size to try. If peaks are unknown, one size in between
/// is tried.
std::int64_t largest_batch_that_fits(const BatchSizeRange& sizes, double budget,
                                     const TryBatch& attempt);

/// Returns the sizes worth trying: from the longest pair to a sixteenth of the training data, so
/// that an epoch has enough updates.
BatchSizeRange batch_size_range(const Corpus& corpus, const Config& config);

/// Returns the batch_size for this corpus on this machine: the largest with which the longest batch
/// trains within four fifths of the free memory, or of this rank's share of it. model_spec has
/// config, tokenizers and device. Each size trains a new network, with numbers from the global
/// generators. Throws ConfigError if no batch fits, or if the system does not report its free
/// memory.
std::int64_t find_batch_size(const TranslationModel& model_spec, const Corpus& corpus,
                             int ranks_here);

}  // namespace tfm

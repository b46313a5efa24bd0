// training.batch_size: auto. Batches of growing size are tried until memory would not hold a larger
// one; the size found is written to the run's config, so that the run goes on with it.
#pragma once

#include <cstdint>
#include <functional>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"

namespace tfm {

/// What a batch of some size took.
struct BatchTrial {
  bool fits = true;
  double peak = 0;  ///< bytes of the whole process; 0: not known, as on a GPU
};
using TryBatch = std::function<BatchTrial(std::int64_t size)>;

struct BatchSizeRange {
  std::int64_t step = 1;  ///< what is tried and found is a multiple of it
  std::int64_t smallest = 1;
  std::int64_t largest = 1;
};

/// The largest size whose trial fits and stays within `budget` bytes; 0 where not even the smallest
/// does. Sizes double; where the next would exceed the budget, or did, the line through the last
/// two peaks tells how far one can go. Where no peaks are known, one size in between is tried.
std::int64_t largest_batch_that_fits(const BatchSizeRange& sizes, double budget,
                                     const TryBatch& attempt);

/// Sizes worth trying: from the longest pair to a sixteenth of the training text, so that an epoch
/// has updates enough.
BatchSizeRange batch_size_range(const Corpus& corpus, const Config& config);

/// Returns the batch_size for this text on this machine: the largest with which the longest batch
/// trains within four fifths of the free memory, or of this rank's share of it. described: config,
/// tokenizers and device. Each size trains a new network, with numbers from the global generators.
/// Throws ConfigError if no batch fits, or if the system does not say how much memory is free.
std::int64_t find_batch_size(const TranslationModel& model_spec, const Corpus& corpus,
                             int ranks_here);

}  // namespace tfm

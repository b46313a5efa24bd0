// Determines the batches of an update and distributes them over the ranks. All ranks plan the same
// batches in the same order and take them in turn. N ranks with accum_count A therefore use the
// same batches as one rank with accum_count N * A.
#pragma once

#include <cstdint>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/batcher.h"

namespace tfm {

/// The examples of one batch, as indices into the corpus.
using BatchIndices = std::vector<std::int64_t>;

/// Returns the batcher options that the config defines. The number of examples of the corpus
/// determines the size of the windows.
BatcherOptions batcher_options(const Config& config, const Corpus& corpus);

/// Takes the accum_count * ranks batches of one update from the batcher and returns the accum_count
/// batches of this rank.
std::vector<BatchIndices> next_update_batches(Batcher& batcher, std::int64_t accum_count, int rank,
                                              int ranks);

}  // namespace tfm

// Determines which batches make an update, as lists of examples, and which of them a rank computes.
// All ranks plan the same batches in the same order and take them in turn. N ranks with accum_count
// A therefore see the batches that one rank with accum_count N * A would see.
#pragma once

#include <cstdint>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/batcher.h"

namespace tfm {

/// The examples of one batch, as indices into the corpus.
using BatchIndices = std::vector<std::int64_t>;

/// Returns how the config batches a corpus.
BatcherOptions batcher_options(const Config& config);

/// Takes the accum_count * ranks batches of one update and returns the accum_count of this rank.
std::vector<BatchIndices> next_update_batches(Batcher& batcher, std::int64_t accum_count, int rank,
                                              int ranks);

}  // namespace tfm

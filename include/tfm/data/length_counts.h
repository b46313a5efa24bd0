// The lengths of a corpus as counts. Before a run trains, they say how many batches a corpus of
// any size makes, and which batch is the longest, without sorting or copying the corpus.
#pragma once

#include <cstdint>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/example_list.h"

namespace tfm {

/// counts[n] is the number of examples of length n: `fixed_length` or, if that is 0, max(S, T).
using LengthCounts = std::vector<std::int64_t>;

LengthCounts count_lengths(const ExampleList& examples, std::int64_t fixed_length);

/// Returns the number of batches that length_sorted_batches makes of examples of these lengths.
std::int64_t count_sorted_batches(const LengthCounts& counts, BatchType type, std::int64_t size);

/// Returns the first batch of length_sorted_batches: the indices of the longest examples.
std::vector<std::int64_t> longest_batch(const ExampleList& examples, std::int64_t fixed_length,
                                        BatchType type, std::int64_t size);

}  // namespace tfm

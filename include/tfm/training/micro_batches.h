// Splits batches that do not fit into memory into micro-batches. The gradients of the micro-batches
// add up to the gradient of the batch. Only the time, rounding errors and the random numbers of
// dropout change.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tfm/model/batch.h"

namespace tfm {

/// Computes the gradients of all parts, discarding those of earlier calls. Keeps `at` at the index
/// of the current part.
using BackwardPass = std::function<void(const std::vector<Batch>& parts, std::size_t& at)>;
/// Returns the rows [begin, end) of a batch as a new batch.
using SliceBatch = std::function<Batch(const Batch& batch, std::size_t begin, std::size_t end)>;

/// Calls `attempt` with the batches. If memory runs out (is_out_of_memory), halves the part that
/// did not fit, and every other part of at least two pairs that has more than half as many
/// positions (padding included) as that part. Then calls `attempt` again. Repeats this, if
/// necessary, down to single sentence pairs, and logs each retry. Throws ModelError, with the line
/// number, if a single pair does not fit. Other exceptions pass through.
void retry_in_micro_batches(std::vector<Batch> batches, const SliceBatch& cut,
                            const BackwardPass& attempt);

}  // namespace tfm

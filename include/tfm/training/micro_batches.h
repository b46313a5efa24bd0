// Splits batches that do not fit into memory. The gradient of a sum over sentences is the sum of
// the parts' gradients, so only the time changes (and the random numbers of dropout).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tfm/model/batch.h"

namespace tfm {

/// Processes all parts from the first, independently of earlier attempts. Sets `at` to the index of
/// the part being processed.
using BackwardPass = std::function<void(const std::vector<Batch>& parts, std::size_t& at)>;
/// Returns the rows [begin, end) of a batch as a batch.
using SliceBatch = std::function<Batch(const Batch& batch, std::size_t begin, std::size_t end)>;

/// Calls the attempt with the batches. If memory runs out (is_out_of_memory), calls it again with
/// the part that did not fit, and all parts of about its size, in halves; and so on down to single
/// pairs. Logs what is halved. Throws ModelError with the lines of a pair that does not fit by
/// itself; rethrows any other error at once.
void retry_in_micro_batches(std::vector<Batch> batches, const SliceBatch& cut,
                            const BackwardPass& attempt);

}  // namespace tfm

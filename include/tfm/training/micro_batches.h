// Batches that don't fit into memory are trained on in parts: the gradient of a sum over sentences
// is the sum of the parts' gradients, so only the time changes (and which numbers dropout draws).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tfm/model/batch.h"

namespace tfm {

/// Works through all parts from the first, as if nothing had been done before; keeps `at` the index
/// of the part that it is at.
using BackwardPass = std::function<void(const std::vector<Batch>& parts, std::size_t& at)>;
/// Rows [begin, end) of a batch, as a batch.
using SliceBatch = std::function<Batch(const Batch& batch, std::size_t begin, std::size_t end)>;

/// Calls the attempt with the batches; where memory runs out (is_out_of_memory) again, with the
/// part that did not fit and all of about its size in halves, and so on down to single pairs. What
/// is halved is said on the log. Throws ModelError that names the pair that does not fit by itself;
/// any other error passes through at once.
void retry_in_micro_batches(std::vector<Batch> batches, const SliceBatch& cut,
                            const BackwardPass& attempt);

}  // namespace tfm

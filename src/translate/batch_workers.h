// Runs batches in parallel (CTranslate2: inter-threads). The matrix multiplications of a decoding
// step are small. Two cores that each process a batch are therefore much faster than two cores that
// share one batch. If there are fewer batches than threads, each batch gets several threads, unless
// the results must be batch-invariant.
#pragma once

#include <cstddef>
#include <functional>

#include "inference.h"

namespace tfm {

/// Calls work(i) for every i < count on at most as many threads as LibTorch is configured to use.
/// Calls start in ascending order of i. On a GPU, the calling thread makes all calls. An
/// Inference::Use must exist on the calling thread; gradients are disabled on the other threads
/// too. Rethrows an exception of `work` after all threads have ended.
void for_each_batch(std::size_t count, const Inference& inference,
                    const std::function<void(std::size_t)>& work);

}  // namespace tfm

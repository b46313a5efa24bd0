// Runs batches in parallel (CTranslate2: inter-threads). The matrix multiplications of a decoding
// step are small. Two cores that each process a batch are therefore much faster than two cores that
// share one batch. If there are fewer batches than threads, the threads are divided evenly among
// the batches; in batch-invariant mode, each batch always gets one thread. Work on the text of
// lines runs in parallel, too, because the other threads would wait for it.
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

/// Calls work(i) for every line i < count, on as many threads as LibTorch is configured to use if
/// there are enough lines for them. Rethrows the exception of the first line that throws.
void for_each_line(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace tfm

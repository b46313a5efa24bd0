// Batches side by side. A decoding step's products are small: two cores that translate a batch each
// get much further than two cores that share one. Where there are fewer batches than threads, each
// batch has several.
#pragma once

#include <cstddef>
#include <functional>

#include "inference.h"

namespace tfm {

/// Calls work(i) for every i < count, lower ones first, on as many threads as LibTorch has been
/// given; on a GPU one after the other on this thread. The inference must be in use on this thread;
/// the other threads record no gradients either. What work throws is thrown here, once every thread
/// has ended.
void for_each_batch(std::size_t count, const Inference& inference,
                    const std::function<void(std::size_t)>& work);

}  // namespace tfm

// Batches side by side. A decoding step's products are small: two cores that translate a batch each
// get much further than two cores that share one. Where there are fewer batches than threads, each
// batch has several.
#pragma once

#include <cstddef>
#include <functional>

#include "tfm/translate/inference.h"

namespace tfm {

/// Calls work(i) for every i < count, lower ones first, on as many threads as LibTorch has been
/// given; on a GPU one after the other on this one. The inference must be in use on this thread,
/// and is on the others. What work throws is thrown here, once every thread has ended.
void for_each_batch(std::size_t count, Inference& inference,
                    const std::function<void(std::size_t)>& work);

}  // namespace tfm

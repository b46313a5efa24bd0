// The cross-entropy of one row of logits, whose gradient replaces the logits.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

struct RowLoss {
  float plain;    ///< -log p(target)
  float uniform;  ///< the mean of -log p(v) over v
};

/// With e = smoothing and p = softmax(row), row [size] becomes p - (1 - e) onehot(target) - e /
/// size.
RowLoss cross_entropy_gradient(float* row, int64_t size, int64_t target, float smoothing);
RowLoss cross_entropy_gradient(Bf16* row, int64_t size, int64_t target, float smoothing);

}  // namespace tfm

// Computes the cross-entropy of one row of logits. The gradient replaces the logits in place.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

struct RowLoss {
  float plain;    ///< -log p(target)
  float uniform;  ///< mean of -log p(v) over all tokens v
};

/// Replaces the logits in `row` [size] by their gradient, p - (1 - e) onehot(target) - e / size,
/// with e = smoothing and p = softmax(row). Returns the loss.
RowLoss cross_entropy_gradient(float* row, int64_t size, int64_t target, float smoothing);
RowLoss cross_entropy_gradient(Bf16* row, int64_t size, int64_t target, float smoothing);

}  // namespace tfm

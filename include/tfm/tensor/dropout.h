// Dropout (Srivastava et al. 2014) that stores no mask. A hash of an element's index and a key
// decides whether the element is dropped, so the backward pass can recompute the mask. Each call
// draws one key from the CPU's global generator, so restoring the state of that generator
// reproduces the masks.
// Only fp32 and bf16 on the CPU use this dropout, because LibTorch's dropout draws its random
// numbers there one by one on a single thread. Other devices and data types use LibTorch's dropout.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace tfm {

/// Returns x with each element zeroed with probability p and the others divided by 1 - p. Returns x
/// itself if not training or if p is 0. x may have any shape.
torch::Tensor stateless_dropout(const torch::Tensor& x, double p, bool training);

/// Returns the residual sum x + stateless_dropout(y), computed in one pass on the CPU. x and y have
/// the same shape; x is fp32, y fp32 or bf16, and the result fp32.
torch::Tensor dropout_add(const torch::Tensor& x, const torch::Tensor& y, double p, bool training);

/// The reference implementation: returns the factors, 0 or 1 / (1 - p), that dropout on the CPU
/// applies to `count` elements with a key.
torch::Tensor reference_dropout_mask(int64_t count, double p, uint64_t key);

}  // namespace tfm

// Dropout (Srivastava et al. 2014) that keeps no mask. Whether an element falls is a hash of its
// index and a key drawn once a call from the CPU's global generator, so backward recomputes it; the
// generator's state alone makes a run repeatable. On the CPU this replaces LibTorch's dropout,
// whose random numbers come one by one from one thread; on other devices it is LibTorch's.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace tfm {

/// x with each element zeroed with probability p and the others divided by 1 - p; x itself where
/// not training or p is 0. Any shape, fp32 or bf16.
torch::Tensor stateless_dropout(const torch::Tensor& x, double p, bool training);

/// x + stateless_dropout(y) in one pass: the residual sum. x fp32, y fp32 or bf16, of one shape ->
/// fp32.
torch::Tensor dropout_add(const torch::Tensor& x, const torch::Tensor& y, double p, bool training);

/// The plain reference: the factors (0 or 1 / (1 - p)) that the CPU's dropout multiplies `count`
/// elements by, under a key.
torch::Tensor reference_dropout_mask(int64_t count, double p, uint64_t key);

}  // namespace tfm

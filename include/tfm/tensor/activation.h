// The feed-forward layer's smooth functions, one number at a time. LibTorch computes them in
// vectors, and what is left over at the end of a thread's share by another formula, so that a
// number's result depends on where it stands; here it depends on the number alone. For inference.
#pragma once

#include <torch/types.h>

namespace tfm {

/// x / 2 (1 + erf(x / sqrt(2))) of each number of x, fp32 or bf16, on the CPU.
torch::Tensor batch_invariant_gelu(const torch::Tensor& x);
/// x / (1 + e^-x) of each number of x, fp32 or bf16, on the CPU.
torch::Tensor batch_invariant_silu(const torch::Tensor& x);

}  // namespace tfm

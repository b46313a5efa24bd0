// Computes GELU and SiLU such that the result for a number depends on that number alone. LibTorch
// computes most numbers in vectors and the rest of a thread's share by another formula, so its
// results depend on a number's position. These functions are for inference only.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Returns x / 2 (1 + erf(x / sqrt(2))) of each element of x, which is fp32 or bf16 on the CPU.
torch::Tensor batch_invariant_gelu(const torch::Tensor& x);
/// Returns x / (1 + e^-x) of each element of x, which is fp32 or bf16 on the CPU.
torch::Tensor batch_invariant_silu(const torch::Tensor& x);

}  // namespace tfm

// GELU and SiLU as batch-invariant functions: the result for an element depends on that element
// alone. LibTorch uses vector instructions for most elements and another formula for the last
// elements of each thread, so its result depends on the position of an element. These functions are
// for inference only.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Returns x / 2 (1 + erf(x / sqrt(2))) of each element of x, which is fp32 or bf16 on the CPU.
torch::Tensor batch_invariant_gelu(const torch::Tensor& x);
/// Returns x / (1 + e^-x) of each element of x, which is fp32 or bf16 on the CPU.
torch::Tensor batch_invariant_silu(const torch::Tensor& x);

}  // namespace tfm

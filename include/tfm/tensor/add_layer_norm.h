// LayerNorm (Ba et al. 2016) of a residual connection's sum in one visit of each row: what a
// decoding step, whose rows are few, spends on setting up two of LibTorch's operations is more than
// either takes. For inference: without gradient. The plain reference is torch::layer_norm(x + y).
#pragma once

#include <torch/types.h>

namespace tfm {

/// Whether add_layer_norm can take x: where no gradient is wanted, fp32 on the CPU.
bool can_fuse_add_layer_norm(const torch::Tensor& x);

/// x [..., D] fp32; y of the same shape, fp32 or bf16, or undefined: nothing is added; scale and
/// shift [D] or undefined -> [..., D] fp32. A row's result does not depend on the other rows.
torch::Tensor add_layer_norm(const torch::Tensor& x, const torch::Tensor& y,
                             const torch::Tensor& scale, const torch::Tensor& shift,
                             double epsilon);

}  // namespace tfm

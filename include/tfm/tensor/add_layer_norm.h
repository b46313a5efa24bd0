// Computes LayerNorm (Ba et al. 2016) of a residual sum in one pass over each row. In a decoding
// step, which has few rows, setting up two LibTorch operations takes longer than computing either.
// The function is for inference only, without gradients.
// The reference implementation is torch::layer_norm(x + y).
#pragma once

#include <torch/types.h>

namespace tfm {

/// Returns true if add_layer_norm supports x: fp32 on the CPU, with gradients disabled.
bool can_fuse_add_layer_norm(const torch::Tensor& x);

/// Returns LayerNorm(x + y), or LayerNorm(x) if y is undefined: [..., D] fp32. x is [..., D] fp32,
/// and y has the same shape in fp32 or bf16. The gain `scale` and the bias `shift` are [D] or
/// undefined. The result of a row does not depend on the other rows.
torch::Tensor add_layer_norm(const torch::Tensor& x, const torch::Tensor& y,
                             const torch::Tensor& scale, const torch::Tensor& shift,
                             double epsilon);

}  // namespace tfm

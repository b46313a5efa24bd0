// x W^T + b, in fp32 or, while a Bf16AutocastGuard lives (autocast.h), in bf16 with fp32 gradients
// of W and b; without gradients through the PackedWeights in use (packed_weights.h), where there
// are any.
#pragma once

#include <torch/types.h>

namespace tfm {

/// x [..., in], weight [out, in], bias [out] or undefined -> [..., out], fp32 or bf16. weight and
/// bias are parameters, or rows of one: begin and end choose them (end 0: all).
torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias,
                     int64_t begin = 0, int64_t end = 0);

}  // namespace tfm

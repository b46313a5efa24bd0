// x W^T + b, computed as the context says: in fp32; in bf16 with fp32 gradients of W and b
// (autocast.h); or without gradients through packed weights (packed_weights.h).
#pragma once

#include <torch/types.h>

#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/linear_part.h"

namespace tfm {

/// x [..., in] -> [..., rows of the part], fp32 or bf16.
torch::Tensor linear(const ForwardContext& context, const torch::Tensor& x, const LinearPart& part);

}  // namespace tfm

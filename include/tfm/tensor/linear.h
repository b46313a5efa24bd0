// Computes x W^T + b in the way that the context selects: in fp32, in bf16 or fp16 with fp32
// gradients of W and b (autocast.h), or with packed weights and without gradients
// (packed_weights.h).
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/linear_part.h"
#include "tfm/tensor/log_sum_exp.h"

namespace tfm {

/// Multiplies x [..., in], fp32 or bf16, by the part. Returns [..., rows of the part].
torch::Tensor linear(const ForwardContext& context, const torch::Tensor& x, const LinearPart& part);

/// Returns max(linear(x), 0). A GPU computes both in one operation if the context casts weights or
/// there are no gradients.
torch::Tensor linear_relu(const ForwardContext& context, const torch::Tensor& x,
                          const LinearPart& part);

/// Finds the maxima of linear(x), for x [N, in] and for inference only (block_maxima_rows).
NormalizedLogits linear_maxima(const ForwardContext& context, const torch::Tensor& x,
                               const LinearPart& part, std::int64_t block_size);

}  // namespace tfm

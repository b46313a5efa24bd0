// Quantises the rows of a tensor to any place in memory; quantized_matrix.h does it to tensors.
#pragma once

#include <torch/types.h>

#include "kernels/quantization.h"

namespace tfm {

/// Quantises x [N, K], fp32 or bf16 on the CPU, as QuantizedMatrix describes.
void quantize_rows(const torch::Tensor& x, const QuantizedRows& to);

}  // namespace tfm

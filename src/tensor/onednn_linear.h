// Matrix multiplication by oneDNN, with weights in oneDNN's layout. LibTorch exposes these kernels
// only as private operators without C++ functions. This file looks the operators up by name and
// calls them with boxed arguments, whose types differ between versions. Tested with LibTorch
// 2.13.0.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Returns true if oneDNN multiplies in bf16 on this processor.
bool onednn_supports_bf16();

/// Converts a weight [out, in] bf16 to oneDNN's layout.
torch::Tensor onednn_pack_bf16(const torch::Tensor& weight);
/// Returns x W^T + bias, [N, out] bf16, for x [N, in] bf16, a weight from onednn_pack_bf16 and bias
/// [out] bf16 or undefined.
torch::Tensor onednn_linear_bf16(const torch::Tensor& x, const torch::Tensor& weight,
                                 const torch::Tensor& bias);

}  // namespace tfm

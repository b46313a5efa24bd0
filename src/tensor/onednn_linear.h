// oneDNN's products with weights in oneDNN's own layout. LibTorch has these kernels as private
// operators without C++ functions: this file finds the operators by name and calls them with boxed
// arguments, whose types differ from version to version. Tried with LibTorch 2.13.0.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Whether oneDNN multiplies in bf16 on this processor.
bool onednn_supports_bf16();

/// weight [out, in] bf16 -> the weight in oneDNN's layout.
torch::Tensor onednn_pack_bf16(const torch::Tensor& weight);
/// x [N, in] bf16, a weight from onednn_pack_bf16, bias [out] bf16 or undefined -> [N, out] bf16.
torch::Tensor onednn_linear_bf16(const torch::Tensor& x, const torch::Tensor& weight,
                                 const torch::Tensor& bias);

/// weight [out, in] int8 -> the weight in oneDNN's layout.
torch::Tensor onednn_pack_int8(const torch::Tensor& weight);
/// values [N, in] int8, a weight from onednn_pack_int8, scales [out] fp32, zeros [out] int32 -> the
/// product [N, out] fp32, each column times the column's scale.
torch::Tensor onednn_linear_int8(const torch::Tensor& values, const torch::Tensor& weight,
                                 const torch::Tensor& scales, const torch::Tensor& zeros);

/// What oneDNN's int8 products are like on this processor.
struct OneDnnInt8Support {
  /// Without instructions for sums of int8 products (VNNI) two products are added in 16 bits. The
  /// sum overflows if weights have 8 bits, and does not if weights have 7.
  int largest_weight = 127;
  /// oneDNN 3.12 has no kernel for LibTorch's layout on an AMD EPYC with AVX-512 VNNI and without
  /// AMX, and runs a plain loop, a thousand times slower than a kernel.
  bool has_kernel = false;
};

/// Found out once, by a product: whichever kernel oneDNN chooses is what counts.
const OneDnnInt8Support& onednn_int8_support();

}  // namespace tfm

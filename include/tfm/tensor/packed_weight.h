// One weight of a linear layer in the layout of the kernel that multiplies with it on the CPU, with
// the layer's bias: one alternative per kernel. The formats are
//   fp32  the weight as it is; in panels if the product is our own
//   bf16  x and W rounded to bf16, sums in fp32, the result rounded to bf16
//   int8  x and W rounded to 8 bits (W to 7 if the processor has no exact sums of 8), symmetric
//         around 0, with one scale for each row of x and of W; sums are exact, the result is fp32
// For inference: without gradient.
#pragma once

#include <torch/types.h>

#include <variant>

#include "tfm/tensor/int8_gemm.h"
#include "tfm/tensor/quantized_matrix.h"

namespace tfm {

enum class WeightFormat { fp32, bf16, int8 };

/// Whether this processor can multiply in bf16.
bool cpu_supports_bf16();

/// LibTorch's product with the weight as it is.
struct PlainFp32 {
  torch::Tensor weight;  ///< [out, in]
  torch::Tensor bias;    ///< [out], or undefined, here as below
};
/// Our own product (batch_invariant_gemm.h).
struct PanelFp32 {
  torch::Tensor panels;
  torch::Tensor bias;
  int64_t out = 0;
};
struct OneDnnBf16 {
  torch::Tensor weight;  ///< in oneDNN's layout
  torch::Tensor bias;
};
/// Our own product (int8_gemm.h).
struct VnniInt8 {
  PackedInt8Matrix weight;
  torch::Tensor bias;
};
struct OneDnnInt8 {
  torch::Tensor weight;  ///< in oneDNN's layout
  torch::Tensor scales;  ///< [out]
  torch::Tensor zeros;   ///< [out] int32
  torch::Tensor bias;
};

using PackedWeight = std::variant<PlainFp32, PanelFp32, OneDnnBf16, VnniInt8, OneDnnInt8>;

/// Whether a product with a weight of this shape is so short that our own kernels multiply it:
/// setting up one of oneDNN's products takes some 25 microseconds.
bool is_small_weight(const torch::Tensor& weight);

/// weight [out, in] fp32, bias [out] or undefined. batch_invariant (not with bf16): a row's
/// product, bit for bit, does not depend on the rows that are multiplied with it.
PackedWeight pack_weight(const torch::Tensor& weight, const torch::Tensor& bias,
                         WeightFormat format, bool batch_invariant);
/// The same for a weight that quantize_weight has rounded.
PackedWeight pack_weight(const QuantizedMatrix& weight, const torch::Tensor& bias);

/// weight [out, in] fp32, rounded as far as this processor's products of int8 stay exact.
QuantizedMatrix quantize_weight(const torch::Tensor& weight);

/// x [..., in] fp32 or bf16 -> [..., out]
torch::Tensor multiply(const torch::Tensor& x, const PackedWeight& weight);

}  // namespace tfm

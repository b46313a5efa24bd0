// The weight and bias of a linear layer, packed for the CPU kernel that multiplies by them.
// PackedWeight has one alternative per kernel. The formats are
//   fp32  the weight as it is, or in panels for tfm's own kernel
//   bf16  x and W rounded to bf16, fp32 accumulation, the result rounded to bf16
//   int8  x and W quantised to 8 bits, symmetrically, with one scale per row of x and of W.
//         Sums are exact, and the result is fp32. All kernels give the same result, bit for bit
// Packed weights are for inference only, without gradients.
#pragma once

#include <torch/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include "tfm/tensor/int8_gemm.h"
#include "tfm/tensor/quantized_matrix.h"

namespace tfm {

enum class WeightFormat { fp32, bf16, int8 };

/// Returns true if oneDNN multiplies in bf16 on this processor.
bool cpu_supports_bf16();

/// LibTorch's fp32 GEMM, with the weight as it is.
struct PlainFp32 {
  torch::Tensor weight;  ///< [out, in]
  torch::Tensor bias;    ///< [out] or undefined, as in all alternatives
};
/// tfm's own fp32 GEMM (batch_invariant_gemm.h).
struct PanelFp32 {
  torch::Tensor panels;
  torch::Tensor bias;
  int64_t out = 0;
};
/// oneDNN's bf16 GEMM.
struct OneDnnBf16 {
  torch::Tensor weight;  ///< in oneDNN's layout
  torch::Tensor bias;
};
/// tfm's own int8 GEMM (int8_gemm.h).
struct PanelInt8 {
  PackedInt8Matrix weight;
  torch::Tensor bias;
};
using PackedWeight = std::variant<PlainFp32, PanelFp32, OneDnnBf16, PanelInt8>;

/// Returns true if a weight of this shape is so small that tfm's own kernels multiply by it in
/// PackedWeights, because setting up a GEMM of oneDNN takes about 25 microseconds.
bool is_small_weight(const torch::Tensor& weight);

/// Packs a weight [out, in] fp32 with its bias, [out] or undefined. With batch_invariant, which
/// cannot be combined with bf16, the result of a row does not depend on the other rows, bit for
/// bit.
PackedWeight pack_weight(const torch::Tensor& weight, const torch::Tensor& bias,
                         WeightFormat format, bool batch_invariant);
/// Packs a weight [out, in] that is already quantised.
PackedWeight pack_weight(const QuantizedMatrix& weight, const torch::Tensor& bias);

/// Returns a weight [out, in] of this shape with the values and the scales of a PackedInt8Matrix
/// that a processor with the same kernels packed, and with bias, [out] or undefined. Nothing is
/// copied. Returns nullopt if values or scales have another shape or type.
std::optional<PackedWeight> restore_int8(const torch::Tensor& values, const torch::Tensor& scales,
                                         const torch::Tensor& bias,
                                         std::array<std::int64_t, 2> shape);

/// Multiplies x [..., in], fp32 or bf16, by the weight and adds its bias. Returns [..., out].
torch::Tensor multiply(const torch::Tensor& x, const PackedWeight& weight);
/// Applies ReLU to the result of multiply; in the format int8, within the kernel.
torch::Tensor multiply_relu(const torch::Tensor& x, const PackedWeight& weight);
/// Finds the maxima of the result of multiply, [N, out] for x [N, in] (block_maxima_rows); in the
/// format int8, within the kernel if block_size is int8_maxima_block.
NormalizedLogits multiply_maxima(const torch::Tensor& x, const PackedWeight& weight,
                                 std::int64_t block_size);

}  // namespace tfm

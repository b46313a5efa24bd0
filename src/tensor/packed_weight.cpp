#include "tfm/tensor/packed_weight.h"

#include "kernels/cpu_features.h"
#include "kernels/int8_panel.h"
#include "kernels/simd.h"
#include "onednn_linear.h"
#include "tfm/tensor/batch_invariant_gemm.h"

namespace tfm {
namespace {

using torch::Tensor;

/// Returns true if tfm's own fp32 kernel multiplies by this weight instead of LibTorch, which packs
/// a part of the matrix in each call. For few rows, as in each decoding step, packing takes as long
/// as the multiplication itself. For many rows without AVX-512, tfm's own kernel is as fast as
/// LibTorch's for most shapes (docs/benchmarks.md). With AVX-512 on processors of Intel, LibTorch
/// is faster; on others, tfm's kernel makes the whole translation up to twice as fast.
bool prefers_panels(const Tensor& weight) {
  return is_small_weight(weight) || simd_width() < max_lanes || !cpu_features().intel;
}

// multiply_rows has one overload per kernel without ReLU: x [N, in] fp32 or bf16 -> [N, out].

Tensor multiply_rows(const Tensor& x, const PlainFp32& weight) {
  return torch::linear(x.to(torch::kFloat32), weight.weight, weight.bias);
}

Tensor multiply_rows(const Tensor& x, const PanelFp32& weight) {
  return batch_invariant_gemm(x.to(torch::kFloat32), weight.panels, weight.bias, weight.out);
}

Tensor multiply_rows(const Tensor& x, const OneDnnBf16& weight) {
  return onednn_linear_bf16(x.to(torch::kBFloat16), weight.weight, weight.bias);
}

template <class Kernel>
Tensor multiply_by(const Tensor& x, const Kernel& weight, bool relu) {
  const auto y = multiply_rows(x, weight);
  return relu ? y.relu_() : y;
}

Tensor multiply_by(const Tensor& x, const PanelInt8& weight, bool relu) {
  return int8_gemm(x, weight.weight, weight.bias, relu);
}

Tensor multiply_any_shape(const Tensor& x, const PackedWeight& weight, bool relu) {
  const auto multiply_matrix = [&](const Tensor& rows) {
    return std::visit([&](const auto& kernel) { return multiply_by(rows, kernel, relu); }, weight);
  };
  if (x.dim() == 2) return multiply_matrix(x);
  const auto y = multiply_matrix(x.reshape({-1, x.size(-1)}));
  auto shape = x.sizes().vec();
  shape.back() = y.size(-1);
  return y.view(shape);
}

}  // namespace

bool cpu_supports_bf16() { return onednn_supports_bf16(); }

bool is_small_weight(const Tensor& weight) {
  constexpr int64_t small = 65536;
  return weight.numel() <= small;
}

PackedWeight pack_weight(const Tensor& weight, const Tensor& bias, WeightFormat format,
                         bool batch_invariant) {
  if (format == WeightFormat::int8) return pack_weight(quantize_rows(weight.detach()), bias);
  const auto matrix = weight.detach();
  const auto shift = bias.defined() ? bias.detach() : bias;
  if (format == WeightFormat::bf16) {
    return OneDnnBf16{onednn_pack_bf16(matrix.contiguous().to(torch::kBFloat16)),
                      shift.defined() ? shift.to(torch::kBFloat16) : shift};
  }
  if (batch_invariant || prefers_panels(weight))
    return PanelFp32{pack_panels(matrix), shift, matrix.size(0)};
  return PlainFp32{matrix, shift};
}

PackedWeight pack_weight(const QuantizedMatrix& weight, const Tensor& bias) {
  return PanelInt8{pack_int8(weight), bias.defined() ? bias.detach().contiguous() : bias};
}

std::optional<PackedWeight> restore_int8(const Tensor& values, const Tensor& scales,
                                         const Tensor& bias, std::array<std::int64_t, 2> shape) {
  if (values.scalar_type() != torch::kInt8 || scales.scalar_type() != torch::kFloat32 ||
      scales.sizes() != torch::IntArrayRef{shape[0]} ||
      values.sizes() != torch::IntArrayRef(int8_panel_shape(shape[0], shape[1])))
    return std::nullopt;
  return PanelInt8{{.values = values, .scales = scales, .kernel = best_int8_kernel()},
                   bias.defined() ? bias.detach().contiguous() : bias};
}

Tensor multiply(const Tensor& x, const PackedWeight& weight) {
  return multiply_any_shape(x, weight, /*relu=*/false);
}

Tensor multiply_relu(const Tensor& x, const PackedWeight& weight) {
  return multiply_any_shape(x, weight, /*relu=*/true);
}

NormalizedLogits multiply_maxima(const Tensor& x, const PackedWeight& weight, int64_t block_size) {
  if (const auto* int8 = std::get_if<PanelInt8>(&weight))
    return int8_gemm_maxima(x, int8->weight, int8->bias, block_size);
  return block_maxima_rows(multiply(x, weight), block_size);
}

}  // namespace tfm

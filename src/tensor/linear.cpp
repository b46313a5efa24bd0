#include "tfm/tensor/linear.h"

#include <ATen/ops/_addmm_activation.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/threshold_backward.h>
#include <torch/autograd.h>
#include <torch/version.h>

#include <optional>

#include "tfm/tensor/autocast.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/optional_tensor.h"
#include "tfm/tensor/packed_weights.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Returns rows [N, out] as [..., out], for x [..., in] with N rows.
Tensor in_shape_of(const Tensor& x, const Tensor& rows) {
  auto shape = x.sizes().vec();
  shape.back() = rows.size(-1);
  // not view(): a view of a custom function's result cannot be modified in place
  return at::_unsafe_view(rows, shape);
}

/// Returns max(x W^T + b, 0) in one operation, for x [..., in].
Tensor fused_linear_relu(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return in_shape_of(x, at::_addmm_activation(bias, x.reshape({-1, x.size(-1)}), weight.t()));
}

/// Returns a b in `type`, for matrices in bf16 or fp16. A GPU needs no other operation to write
/// fp32, which is also more accurate, because the sums are fp32.
Tensor multiply_to(const Tensor& a, const Tensor& b, torch::ScalarType type) {
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 8
  if (prefers_fewer_operations(a.device()) && type == torch::kFloat32) return at::mm(a, b, type);
#endif
  return a.mm(b).to(type);
}

/// The weight and bias of CastLinear in bf16 or fp16, and whether ReLU follows.
struct CastFactors {
  WeightCasts::Cast cast;
  bool relu;
};

/// x W^T + b in bf16 or fp16, or max(x W^T + b, 0). The weight and bias are inputs only so that
/// they receive gradients; the forward pass uses the factors in their place.
class CastLinear : public torch::autograd::Function<CastLinear> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& /*weight*/,
                        const std::optional<Tensor>& bias, const CastFactors& factors) {
    const auto& [weight, cast_bias] = factors.cast;
    const auto input = x.to(weight.scalar_type());
    context->saved_data["x_type"] = x.scalar_type();
    context->saved_data["bias"] = bias.has_value();
    auto result = multiply(input, factors);
    context->save_for_backward({input, weight, factors.relu ? result : Tensor()});
    return result;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    auto gradient = gradients[0].to(saved[1].scalar_type());
    if (saved[2].defined()) gradient = at::threshold_backward(gradient, saved[2], 0);
    const auto rows = gradient.reshape({-1, gradient.size(-1)});   // [N, out]
    const auto input = saved[0].reshape({-1, saved[0].size(-1)});  // [N, in]
    Tensor x;
    if (context->needs_input_grad(0)) {
      const auto type = context->saved_data["x_type"].toScalarType();
      x = multiply_to(rows, saved[1], type).view(saved[0].sizes());
    }
    Tensor weight;
    if (context->needs_input_grad(1)) weight = multiply_to(rows.t(), input, torch::kFloat32);
    Tensor bias;
    if (context->saved_data["bias"].toBool()) bias = sum_of_rows(rows);
    return {x, weight, bias, {}};
  }

 private:
  static Tensor multiply(const Tensor& input, const CastFactors& factors) {
    const auto& [weight, bias] = factors.cast;
    if (factors.relu && bias.defined() && prefers_fewer_operations(input.device()))
      return fused_linear_relu(input, weight, bias);
    const auto result =
        in_shape_of(input, torch::linear(input.reshape({-1, input.size(-1)}), weight, bias));
    return factors.relu ? result.relu_() : result;
  }

  /// Returns the sum of rows [N, out] in fp32, [out].
  static Tensor sum_of_rows(const Tensor& rows) {
    if (prefers_fewer_operations(rows.device()))
      return rows.sum(0, /*keepdim=*/false, torch::kFloat32);
    // On a CPU, a matmul with a row of ones is faster.
    return torch::ones({1, rows.size(0)}, rows.options()).mm(rows).squeeze(0).to(torch::kFloat32);
  }
};

Tensor cast_linear(WeightCasts& casts, const Tensor& x, const LinearPart& part, bool relu) {
  return CastLinear::apply(x, part.weight_rows(), if_defined(part.bias_rows()),
                           CastFactors{casts.cast(part), relu});
}

}  // namespace

Tensor linear(const ForwardContext& context, const Tensor& x, const LinearPart& part) {
  if (context.packed != nullptr) return context.packed->multiply(x, part);
  if (context.casts != nullptr) return cast_linear(*context.casts, x, part, /*relu=*/false);
  return torch::linear(x, part.weight_rows(), part.bias_rows());
}

Tensor linear_relu(const ForwardContext& context, const Tensor& x, const LinearPart& part) {
  if (context.packed != nullptr) return context.packed->multiply_relu(x, part);
  if (context.casts != nullptr) return cast_linear(*context.casts, x, part, /*relu=*/true);
  // _addmm_activation has no gradient.
  const bool can_fuse = part.bias.defined() && !torch::GradMode::is_enabled();
  if (can_fuse && prefers_fewer_operations(x.device()))
    return fused_linear_relu(x, part.weight_rows(), part.bias_rows());
  return torch::linear(x, part.weight_rows(), part.bias_rows()).relu_();
}

NormalizedLogits linear_maxima(const ForwardContext& context, const Tensor& x,
                               const LinearPart& part, int64_t block_size) {
  if (context.packed != nullptr) return context.packed->multiply_maxima(x, part, block_size);
  return block_maxima_rows(linear(context, x, part), block_size);
}

}  // namespace tfm

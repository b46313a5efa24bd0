#include "tfm/tensor/linear.h"

#include <torch/autograd.h>

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

/// x W^T + b in bf16 or fp16. The weight and bias are inputs only so that they receive gradients;
/// the forward pass uses cast_weight and cast_bias in their place.
class CastLinear : public torch::autograd::Function<CastLinear> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& /*weight*/,
                        const std::optional<Tensor>& bias, const Tensor& cast_weight,
                        const std::optional<Tensor>& cast_bias) {
    const auto input = x.to(cast_weight.scalar_type());
    context->save_for_backward({input, cast_weight});
    context->saved_data["x_type"] = x.scalar_type();
    context->saved_data["bias"] = bias.has_value();
    const auto rows = torch::linear(input.reshape({-1, input.size(-1)}), cast_weight,
                                    cast_bias.value_or(Tensor()));
    auto shape = x.sizes().vec();
    shape.back() = cast_weight.size(0);
    // not view(): a view of a custom function's result cannot be modified in place
    return at::_unsafe_view(rows, shape);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    // [N, out]
    const auto rows = gradients[0].to(saved[1].scalar_type()).reshape({-1, gradients[0].size(-1)});
    // [N, in]
    const auto input = saved[0].reshape({-1, saved[0].size(-1)});
    Tensor x;
    if (context->needs_input_grad(0))
      x = rows.mm(saved[1]).view(saved[0].sizes()).to(context->saved_data["x_type"].toScalarType());
    Tensor weight;
    if (context->needs_input_grad(1)) weight = rows.t().mm(input).to(torch::kFloat32);
    Tensor bias;
    if (context->saved_data["bias"].toBool()) bias = sum_of_rows(rows);
    return {x, weight, bias, {}, {}};
  }

 private:
  /// Returns the sum of rows [N, out] in fp32, [out].
  static Tensor sum_of_rows(const Tensor& rows) {
    if (prefers_fewer_operations(rows.device()))
      return rows.sum(0, /*keepdim=*/false, torch::kFloat32);
    // On a CPU, a matmul with a row of ones is faster.
    return torch::ones({1, rows.size(0)}, rows.options()).mm(rows).squeeze(0).to(torch::kFloat32);
  }
};

}  // namespace

Tensor linear(const ForwardContext& context, const Tensor& x, const LinearPart& part) {
  if (context.packed != nullptr) return context.packed->multiply(x, part);
  const auto weight = part.weight_rows();
  const auto bias = part.bias_rows();
  if (context.casts == nullptr) return torch::linear(x, weight, bias);
  const auto& cast = context.casts->cast(part);
  return CastLinear::apply(x, weight, if_defined(bias), cast.weight, if_defined(cast.bias));
}

Tensor linear_relu(const ForwardContext& context, const Tensor& x, const LinearPart& part) {
  if (context.packed != nullptr) return context.packed->multiply_relu(x, part);
  // _addmm_activation has no gradient.
  const bool can_fuse = part.bias.defined() && !torch::GradMode::is_enabled();
  if (!can_fuse || !prefers_fewer_operations(x.device())) return linear(context, x, part).relu_();
  const auto factors = cached_cast(context.casts, part);
  const auto input = x.to(factors.weight.scalar_type());
  const auto rows =
      at::_addmm_activation(factors.bias, input.reshape({-1, input.size(-1)}), factors.weight.t());
  auto shape = x.sizes().vec();
  shape.back() = rows.size(-1);
  return rows.view(shape);
}

NormalizedLogits linear_maxima(const ForwardContext& context, const Tensor& x,
                               const LinearPart& part, int64_t block_size) {
  if (context.packed != nullptr) return context.packed->multiply_maxima(x, part, block_size);
  return block_maxima_rows(linear(context, x, part), block_size);
}

}  // namespace tfm

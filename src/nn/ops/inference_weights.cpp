#include "tfm/nn/ops/inference_weights.h"

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <vector>

#include "tfm/nn/ops/int8_rows.h"
#include "tfm/nn/ops/row_product.h"

namespace tfm {
namespace {

using torch::Tensor;
using OptionalTensor = std::optional<Tensor>;

/// LibTorch has these kernels without C++ functions of their own: they are found by name and called with boxed arguments, whose C++ types differ from
/// version to version.
c10::OperatorHandle operation(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

Tensor call(const c10::OperatorHandle& operation, std::vector<c10::IValue> arguments) {
  operation.callBoxed(arguments);
  return arguments.front().toTensor();
}

const c10::List<std::optional<at::Scalar>> no_scalars;

Tensor reordered(const Tensor& weight) {
  static const auto reorder = operation("mkldnn::_reorder_linear_weight");
  return call(reorder, {weight, c10::IValue()});
}

Tensor multiply_reordered(const Tensor& x, const Tensor& weight, const OptionalTensor& bias) {
  static const auto linear = operation("mkldnn::_linear_pointwise");
  return call(linear, {x, weight, bias, "none", no_scalars, ""});
}

Tensor packed_int8(const Tensor& weight) {
  static const auto pack = operation("onednn::qlinear_prepack");
  return call(pack, {weight, c10::IValue()});
}

/// values [N, K] int8 and a packed weight -> their product [N, out], each column times its scale, fp32.
Tensor multiply_int8(const Tensor& values, const Tensor& weight, const Tensor& scales, const Tensor& zeros) {
  static const auto linear = operation("onednn::qlinear_pointwise");
  return call(linear, {values, 1.0, int64_t{0}, weight, scales, zeros, c10::IValue(), 1.0, int64_t{0}, at::kFloat, "none", no_scalars, ""});
}

Tensor rounded_to_bf16(const Tensor& x) { return x.to(torch::kBFloat16).to(torch::kFloat32); }

OptionalTensor if_defined(const Tensor& tensor) { return tensor.defined() ? OptionalTensor(tensor) : std::nullopt; }

/// y [N, out] becomes y * scales [N] + bias [out], in place.
void rescale(const Tensor& y, const Tensor& scales, const Tensor& bias) {
  auto* rows = y.data_ptr<float>();
  const int64_t width = y.size(1);
  at::parallel_for(0, y.size(0), std::max<int64_t>(1, 16384 / width), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      rescale_row(rows + row * width, scales.const_data_ptr<float>()[row], bias.defined() ? bias.const_data_ptr<float>() : nullptr, width);
    }
  });
}

template <class T>
void round_rows(const Tensor& x, const Int8Rows& rounded) {
  const auto* from = static_cast<const T*>(x.const_data_ptr());
  auto* to = rounded.values.data_ptr<int8_t>();
  auto* scales = rounded.scales.data_ptr<float>();
  const int64_t width = x.size(1);
  at::parallel_for(0, x.size(0), std::max<int64_t>(1, 16384 / width), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) scales[row] = round_row(from + row * width, width, to + row * width);
  });
}

}  // namespace

thread_local InferenceWeights* InferenceWeights::current_ = nullptr;

Int8Rows to_int8_rows(const Tensor& x) {
  const auto contiguous = x.contiguous();
  Int8Rows rounded{torch::empty(x.sizes(), x.options().dtype(torch::kInt8)), torch::empty({x.size(0)}, x.options().dtype(torch::kFloat32))};
  x.scalar_type() == torch::kBFloat16 ? round_rows<Bf16Bits>(contiguous, rounded) : round_rows<float>(contiguous, rounded);
  return rounded;
}

/// Setting up one of oneDNN's products takes some 25 microseconds. A small matrix is multiplied in fp32 in less.
ProductFormat InferenceWeights::format_for(const Tensor& weight) const {
  constexpr int64_t small = 65536;
  return weight.numel() <= small ? ProductFormat::fp32 : format_;
}

InferenceWeights::Product InferenceWeights::lay_out(const Tensor& weight, const Tensor& bias) const {
  switch (format_for(weight)) {
    case ProductFormat::fp32:
      if (batch_invariant_) return {weight.detach(), bias, {}, {}, to_panels(weight.detach())};
      return {weight.detach(), bias, {}, {}, {}};
    case ProductFormat::bf16:
      return lay_out_bf16(weight.detach(), bias.defined() ? bias.detach() : bias);
    case ProductFormat::int8:
      break;
  }
  const auto rows = to_int8_rows(weight.detach());
  return {packed_int8(rows.values),
          bias.defined() ? bias.detach().contiguous() : bias,
          rows.scales,
          torch::zeros({weight.size(0)}, weight.options().dtype(torch::kInt32)),
          {}};
}

InferenceWeights::Product InferenceWeights::lay_out_bf16(const Tensor& weight, const Tensor& bias) const {
  if (!batch_invariant_) return {reordered(weight.contiguous().to(torch::kBFloat16)), bias.defined() ? bias.to(torch::kBFloat16) : bias, {}, {}, {}};
  return {weight, bias.defined() ? rounded_to_bf16(bias) : bias, {}, {}, to_panels(rounded_to_bf16(weight)), true};
}

/// rows [N, in] -> [N, out]
Tensor InferenceWeights::multiply_rows(const Tensor& rows, const Product& product) const {
  if (product.scales.defined()) {
    const auto rounded = to_int8_rows(rows);
    const auto y = multiply_int8(rounded.values, product.weight, product.scales, product.zeros);
    rescale(y, rounded.scales, product.bias);
    return y;
  }
  if (product.panels.defined()) {
    const auto x = product.rounded ? rounded_to_bf16(rows) : rows.to(torch::kFloat32);
    const auto y = multiply_panels(x, product.panels, product.bias, product.weight.size(0));
    return product.rounded ? y.to(torch::kBFloat16) : y;
  }
  if (product.weight.is_mkldnn()) return multiply_reordered(rows.to(torch::kBFloat16), product.weight, if_defined(product.bias));
  return torch::linear(rows.to(torch::kFloat32), product.weight, product.bias);
}

Tensor InferenceWeights::multiply(const Tensor& x, const Tensor& weight, const Tensor& bias, int64_t begin, int64_t end) {
  auto found = products_.find({weight.unsafeGetTensorImpl(), begin, end});
  if (found == products_.end()) {
    const auto part = [&](const Tensor& tensor) { return tensor.defined() && end > 0 ? tensor.slice(0, begin, end) : tensor; };
    found = products_.emplace(Key(weight.unsafeGetTensorImpl(), begin, end), lay_out(part(weight), part(bias))).first;
  }
  auto shape = x.sizes().vec();
  const auto y = multiply_rows(x.reshape({-1, x.size(-1)}), found->second);
  shape.back() = y.size(-1);
  return y.view(shape);
}

}  // namespace tfm

#include "onednn_linear.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <utility>
#include <vector>

#include "tfm/tensor/optional_tensor.h"

namespace tfm {
namespace {

c10::OperatorHandle find_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
}

torch::Tensor call(const c10::OperatorHandle& operation, std::vector<c10::IValue> arguments) {
  operation.callBoxed(arguments);
  return arguments.front().toTensor();
}

const c10::List<std::optional<at::Scalar>>& no_scalars() {
  static const c10::List<std::optional<at::Scalar>> none;
  return none;
}

}  // namespace

bool onednn_supports_bf16() {
  static const bool supports = [] {
    std::vector<c10::IValue> none;
    find_operator("mkldnn::_is_mkldnn_bf16_supported").callBoxed(none);
    return none.front().toBool();
  }();
  return supports;
}

torch::Tensor onednn_pack_bf16(const torch::Tensor& weight) {
  static const auto reorder = find_operator("mkldnn::_reorder_linear_weight");
  return call(reorder, {weight, c10::IValue()});
}

torch::Tensor onednn_linear_bf16(const torch::Tensor& x, const torch::Tensor& weight,
                                 const torch::Tensor& bias) {
  static const auto linear = find_operator("mkldnn::_linear_pointwise");
  return call(linear, {x, weight, if_defined(bias), "none", no_scalars(), ""});
}

}  // namespace tfm

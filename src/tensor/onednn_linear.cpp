#include "onednn_linear.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <utility>
#include <vector>

#include "tfm/core/clock.h"
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

const c10::List<std::optional<at::Scalar>> no_scalars;

OneDnnInt8Support probe_int8() {
  constexpr int64_t rows = 8, width = 256, columns = 64;
  // The time limit of a trial, in seconds. A kernel takes at most 0.03 ms, and the plain loop takes
  // longer than the limit. One fast trial proves that there is a kernel, because other load on the
  // machine can only make a trial slower.
  constexpr double plain_loop = 0.7e-3;
  constexpr int tries = 5;
  const auto options = torch::TensorOptions().dtype(torch::kInt8);
  const auto x = torch::full({rows, width}, 127, options);
  const auto weight = onednn_pack_int8(torch::full({columns, width}, 127, options));
  const auto scales = torch::ones({columns});
  const auto zeros = torch::zeros({columns}, torch::kInt32);
  OneDnnInt8Support found;
  for (int i = 0; i < tries && !found.has_kernel; ++i) {
    const double begin = steady_seconds();
    const auto sums = onednn_linear_int8(x, weight, scales, zeros);
    found.has_kernel = steady_seconds() - begin < plain_loop;
    if (!sums.eq(127.0 * 127 * width).all().item<bool>()) found.largest_weight = 63;
  }
  return found;
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
  return call(linear, {x, weight, if_defined(bias), "none", no_scalars, ""});
}

torch::Tensor onednn_pack_int8(const torch::Tensor& weight) {
  static const auto pack = find_operator("onednn::qlinear_prepack");
  return call(pack, {weight, c10::IValue()});
}

torch::Tensor onednn_linear_int8(const torch::Tensor& values, const torch::Tensor& weight,
                                 const torch::Tensor& scales, const torch::Tensor& zeros) {
  static const auto linear = find_operator("onednn::qlinear_pointwise");
  return call(linear, {values, 1.0, int64_t{0}, weight, scales, zeros, c10::IValue(), 1.0,
                       int64_t{0}, at::kFloat, "none", no_scalars, ""});
}

const OneDnnInt8Support& onednn_int8_support() {
  static const OneDnnInt8Support support = probe_int8();
  return support;
}

}  // namespace tfm

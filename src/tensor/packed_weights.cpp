#include "tfm/tensor/packed_weights.h"

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <utility>
#include <vector>

#include "kernels/int8_vnni.h"
#include "kernels/quantization.h"
#include "kernels/simd.h"
#include "optional_tensor.h"
#include "tfm/core/clock.h"
#include "tfm/tensor/batch_invariant_gemm.h"

namespace tfm {
namespace {

using torch::Tensor;
using OptionalTensor = std::optional<Tensor>;

/// LibTorch has these kernels without C++ functions of their own: they are found by name and called
/// with boxed arguments, whose C++ types differ from version to version.
c10::OperatorHandle operation(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
}

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

/// values [N, K] int8 and a packed weight -> their product [N, out], each column times its scale,
/// fp32.
Tensor multiply_int8(const Tensor& values, const Tensor& weight, const Tensor& scales,
                     const Tensor& zeros) {
  static const auto linear = operation("onednn::qlinear_pointwise");
  return call(linear, {values, 1.0, int64_t{0}, weight, scales, zeros, c10::IValue(), 1.0,
                       int64_t{0}, at::kFloat, "none", no_scalars, ""});
}

/// What LibTorch's int8 products are like on this processor. Asked of a product itself: whatever
/// kernel it chooses is what counts.
struct LibraryInt8 {
  /// Without instructions for sums of int8 products (VNNI) two of them are added in 16 bits, which
  /// overflow where weights have 8 bits, and stay whole where they have 7.
  int largest_weight = 127;
  /// oneDNN 3.12 finds no kernel for LibTorch's layout on an AMD EPYC with AVX-512 VNNI and without
  /// AMX, and takes a plain loop: a thousandth as fast as theirs are.
  bool has_kernel = false;
};

const LibraryInt8& library_int8() {
  static const LibraryInt8 library = [] {
    constexpr int64_t rows = 8, width = 256, columns = 64;
    // seconds, and more: kernels take 0.03e-3 at most, and a busy machine does not delay each of
    // the tries
    constexpr double plain_loop = 0.7e-3;
    constexpr int tries = 5;
    const auto options = torch::TensorOptions().dtype(torch::kInt8);
    const auto x = torch::full({rows, width}, 127, options);
    const auto weight = packed_int8(torch::full({columns, width}, 127, options));
    const auto [scales, zeros] =
        std::pair(torch::ones({columns}), torch::zeros({columns}, torch::kInt32));
    LibraryInt8 found;
    for (int i = 0; i < tries && !found.has_kernel; ++i) {
      const double begin = steady_seconds();
      const auto sums = multiply_int8(x, weight, scales, zeros);
      found.has_kernel = steady_seconds() - begin < plain_loop;
      if (!sums.eq(127.0 * 127 * width).all().item<bool>()) found.largest_weight = 63;
    }
    return found;
  }();
  return library;
}

int largest_int8_weight() { return library_int8().largest_weight; }

/// y [N, out] becomes y * scales [N] + bias [out], in place.
void rescale(const Tensor& y, const Tensor& scales, const Tensor& bias) {
  auto* rows = y.data_ptr<float>();
  const int64_t width = y.size(1);
  at::parallel_for(
      0, y.size(0), std::max<int64_t>(1, 16384 / width), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          dequantize_row(rows + row * width, scales.const_data_ptr<float>()[row],
                         bias.defined() ? bias.const_data_ptr<float>() : nullptr, width);
        }
      });
}

template <class T>
void round_rows(const Tensor& x, int largest, const QuantizedMatrix& rounded) {
  const auto* from = static_cast<const T*>(x.const_data_ptr());
  auto* to = rounded.values.data_ptr<int8_t>();
  auto* scales = rounded.scales.data_ptr<float>();
  const int64_t width = x.size(1);
  at::parallel_for(
      0, x.size(0), std::max<int64_t>(1, 16384 / width), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row)
          scales[row] = quantize_row(from + row * width, width, largest, to + row * width);
      });
}

}  // namespace

bool cpu_supports_bf16() {
  static const bool has = [] {
    std::vector<c10::IValue> none;
    operation("mkldnn::_is_mkldnn_bf16_supported").callBoxed(none);
    return none.front().toBool();
  }();
  return has;
}

QuantizedMatrix quantize_rows(const Tensor& x, int largest) {
  const auto contiguous = x.contiguous();
  QuantizedMatrix rounded{torch::empty(x.sizes(), x.options().dtype(torch::kInt8)),
                          torch::empty({x.size(0)}, x.options().dtype(torch::kFloat32))};
  x.scalar_type() == torch::kBFloat16 ? round_rows<Bf16>(contiguous, largest, rounded)
                                      : round_rows<float>(contiguous, largest, rounded);
  return rounded;
}

/// Setting up one of oneDNN's products takes some 25 microseconds. Products with a small matrix are
/// our own (batch_invariant_gemm.h, int8_gemm.h).
constexpr int64_t small = 65536;
bool is_small(const Tensor& weight) { return weight.numel() <= small; }

/// A library lays out a part of the matrix at each product, which for few rows takes as long as the
/// product itself, and each step of decoding has few. Without AVX-512 our own products of most
/// shapes are as fast with many rows, too (docs/benchmarks.md); with it, a library's are faster.
bool has_panels(const Tensor& weight) { return is_small(weight) || simd_width() < max_lanes; }
bool wants_int8_panels(const Tensor& weight) {
  return has_vnni() && (is_small(weight) || !library_int8().has_kernel);
}

/// Parts of a matrix follow the whole: what they give is compared (queries with keys), and should
/// be of one type.
WeightFormat PackedWeights::format_for(const Tensor& weight) const {
  const bool has_kernel = format_ == WeightFormat::int8 && has_vnni();
  return is_small(weight) && !has_kernel ? WeightFormat::fp32 : format_;
}

PackedWeights::Product PackedWeights::pack(const Tensor& weight, const Tensor& bias,
                                           WeightFormat format) const {
  if (format == WeightFormat::int8)
    return pack(quantize_rows(weight.detach(), largest_int8_weight()), bias);
  Product product;
  product.weight = weight.detach();
  product.bias = bias;
  if (format == WeightFormat::bf16) {
    product.weight = reordered(product.weight.contiguous().to(torch::kBFloat16));
    if (bias.defined()) product.bias = bias.detach().to(torch::kBFloat16);
  } else if (batch_invariant_ || has_panels(weight)) {
    product.panels = pack_panels(product.weight);
  }
  return product;
}

PackedWeights::Product PackedWeights::pack(const QuantizedMatrix& weight, const Tensor& bias) {
  Product product;
  if (bias.defined()) product.bias = bias.detach().contiguous();
  if (wants_int8_panels(weight.values)) {
    product.int8 = pack_int8(weight.values, weight.scales);
    return product;
  }
  product.weight = packed_int8(weight.values);
  product.scales = weight.scales;
  product.zeros =
      torch::zeros({weight.values.size(0)}, weight.values.options().dtype(torch::kInt32));
  return product;
}

/// rows [N, in] -> [N, out]
Tensor PackedWeights::multiply_rows(const Tensor& rows, const Product& product) {
  if (product.int8.values.defined()) {
    const auto rounded = quantize_rows(rows);
    return int8_gemm(rounded.values, rounded.scales, product.int8, product.bias);
  }
  if (product.scales.defined()) {
    const auto rounded = quantize_rows(rows);
    const auto y = multiply_int8(rounded.values, product.weight, product.scales, product.zeros);
    rescale(y, rounded.scales, product.bias);
    return y;
  }
  if (product.panels.defined())
    return batch_invariant_gemm(rows.to(torch::kFloat32), product.panels, product.bias,
                                product.weight.size(0));
  if (product.weight.is_mkldnn())
    return multiply_reordered(rows.to(torch::kBFloat16), product.weight, if_defined(product.bias));
  return torch::linear(rows.to(torch::kFloat32), product.weight, product.bias);
}

Tensor PackedWeights::multiply(const Tensor& x, const Tensor& weight, const Tensor& bias,
                               int64_t begin, int64_t end) {
  return multiply(x, product(weight, bias, begin, end));
}

/// Laid out when it is first asked for. What is found stays where it is.
const PackedWeights::Product& PackedWeights::product(const Tensor& weight, const Tensor& bias,
                                                     int64_t begin, int64_t end) {
  const std::lock_guard lock(laying_out_);
  const Key key(weight.unsafeGetTensorImpl(), begin, end);
  if (const auto found = products_.find(key); found != products_.end()) return found->second;
  const auto part = [&](const Tensor& tensor) {
    return tensor.defined() && end > 0 ? tensor.slice(0, begin, end) : tensor;
  };
  const auto format = format_for(weight);
  const auto& made = products_.emplace(key, pack(part(weight), part(bias), format)).first->second;
  const bool copied = format != WeightFormat::fp32 || made.panels.defined();
  if (on_packed_ && copied) on_packed_(part(weight));
  return made;
}

Tensor PackedWeights::multiply(const Tensor& x, const Product& product) {
  if (x.dim() == 2) return multiply_rows(x, product);
  auto shape = x.sizes().vec();
  const auto y = multiply_rows(x.reshape({-1, x.size(-1)}), product);
  shape.back() = y.size(-1);
  return y.view(shape);
}

PackedWeights::PackedRows PackedWeights::select_rows(const Tensor& weight, const Tensor& bias,
                                                     const Tensor& rows) {
  const auto chosen = [&rows](const Tensor& tensor) {
    return tensor.defined() ? tensor.detach().index_select(0, rows) : tensor;
  };
  if (format_ != WeightFormat::int8) {
    const auto part = chosen(weight);
    return PackedRows(pack(part, chosen(bias), format_for(part)));
  }
  const auto& whole = rounded(weight);
  return PackedRows(pack({chosen(whole.values), chosen(whole.scales)}, chosen(bias)));
}

/// Once, or each choice would read the fp32 weights again, which may have left memory.
const QuantizedMatrix& PackedWeights::rounded(const Tensor& weight) {
  const std::lock_guard lock(laying_out_);
  const auto* key = weight.unsafeGetTensorImpl();
  if (const auto found = rounded_.find(key); found != rounded_.end()) return found->second;
  const auto& made =
      rounded_.emplace(key, quantize_rows(weight.detach(), largest_int8_weight())).first->second;
  if (on_packed_) on_packed_(weight);
  return made;
}

}  // namespace tfm

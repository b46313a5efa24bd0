#include "tfm/nn/ops/dropout.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include <algorithm>
#include <limits>

#include "tfm/nn/ops/lanes.h"

namespace tfm {
namespace {

/// 32 well-mixed bits from an index under a key. The key enters twice, so that two keys' sequences
/// are not shifts of each other.
TFM_INLINE uint32_t hash(uint32_t index, uint32_t key_low, uint32_t key_high) {
  uint32_t x = index ^ key_low;
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= key_high;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

/// What falls: hashes below this.
uint32_t threshold(double p) {
  return static_cast<uint32_t>(std::min(p * 4294967296.0, 4294967295.0));
}

struct Kernel {
  uint32_t key_low;
  uint32_t key_high;
  uint32_t limit;
  float scale;
};

Kernel kernel_of(double p, uint64_t key) {
  return {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), threshold(p),
          static_cast<float>(1 / (1 - p))};
}

/// What element `index` is multiplied by.
TFM_INLINE float factor_of(int64_t index, Kernel k) {
  return hash(static_cast<uint32_t>(index), k.key_low, k.key_high) >= k.limit ? k.scale : 0.0F;
}

struct Range {
  int64_t begin;
  int64_t end;
};

template <class In, class Out>
TFM_INLINE void multiply(const In* in, Out* out, Range range, Kernel k) {
  for (int64_t i = range.begin; i < range.end; ++i) narrow(widen(in[i]) * factor_of(i, k), out[i]);
}

template <class In>
TFM_INLINE void multiply_add(const float* base, const In* in, float* out, Range range, Kernel k) {
  for (int64_t i = range.begin; i < range.end; ++i)
    out[i] = base[i] + widen(in[i]) * factor_of(i, k);
}

constexpr int64_t grain = 1 << 15;

template <class In, class Out>
void run(const torch::Tensor& input, torch::Tensor& output, Kernel kernel) {
  const auto* in = static_cast<const In*>(input.const_data_ptr());
  auto* out = static_cast<Out*>(output.mutable_data_ptr());
  at::parallel_for(0, input.numel(), grain, [&](int64_t begin, int64_t end) {
    with_lanes([&](auto) TFM_BODY { multiply(in, out, Range{begin, end}, kernel); });
  });
}

/// x with the factors of a key applied, as numbers of `type`.
torch::Tensor apply_key(const torch::Tensor& x, Kernel kernel, torch::ScalarType type) {
  const auto input = x.contiguous();
  auto output = torch::empty_like(input, input.options().dtype(type));
  const bool wide = input.scalar_type() == torch::kFloat32;
  if (type == torch::kFloat32) {
    run<float, float>(input, output, kernel);
  } else if (wide) {
    run<float, Bf16Bits>(input, output, kernel);
  } else {
    run<Bf16Bits, Bf16Bits>(input, output, kernel);
  }
  return output;
}

template <class In>
void run_add(const torch::Tensor& base, const torch::Tensor& input, torch::Tensor& output,
             Kernel kernel) {
  const auto* sum = base.const_data_ptr<float>();
  const auto* in = static_cast<const In*>(input.const_data_ptr());
  auto* out = output.mutable_data_ptr<float>();
  at::parallel_for(0, input.numel(), grain, [&](int64_t begin, int64_t end) {
    with_lanes([&](auto) TFM_BODY { multiply_add(sum, in, out, Range{begin, end}, kernel); });
  });
}

torch::Tensor apply_key_and_add(const torch::Tensor& x, const torch::Tensor& y, Kernel kernel) {
  const auto base = x.contiguous();
  const auto input = y.contiguous();
  auto output = torch::empty_like(base);
  input.scalar_type() == torch::kFloat32 ? run_add<float>(base, input, output, kernel)
                                         : run_add<Bf16Bits>(base, input, output, kernel);
  return output;
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// All that backward needs of what was dropped: the factors' key, and the number format of what
/// they multiplied.
Kernel remember(AutogradContext* context, double p, int64_t key, torch::ScalarType type) {
  context->saved_data["p"] = p;
  context->saved_data["key"] = key;
  context->saved_data["type"] = type;
  return kernel_of(p, static_cast<uint64_t>(key));
}

torch::Tensor dropped_gradient(AutogradContext* context, const torch::Tensor& gradient) {
  const auto key = static_cast<uint64_t>(context->saved_data["key"].toInt());
  return apply_key(gradient, kernel_of(context->saved_data["p"].toDouble(), key),
                   context->saved_data["type"].toScalarType());
}

class Dropout : public torch::autograd::Function<Dropout> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, double p,
                               int64_t key) {
    return apply_key(x, remember(context, p, key, x.scalar_type()), x.scalar_type());
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {dropped_gradient(context, gradients[0]), {}, {}};
  }
};

class AddDropped : public torch::autograd::Function<AddDropped> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& y, double p, int64_t key) {
    return apply_key_and_add(x, y, remember(context, p, key, y.scalar_type()));
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {gradients[0], dropped_gradient(context, gradients[0]), {}, {}};
  }
};

int64_t draw_key() {
  return torch::randint(std::numeric_limits<int64_t>::max(), {1}, torch::kInt64).item<int64_t>();
}

bool has_kernel(const torch::Tensor& x) {
  return x.is_cpu() && (x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kBFloat16);
}

}  // namespace

torch::Tensor maskless_dropout(const torch::Tensor& x, double p, bool training) {
  if (!training || p <= 0) return x;
  if (!has_kernel(x)) return torch::dropout(x, p, training);
  return Dropout::apply(x, p, draw_key());
}

torch::Tensor add_dropped(const torch::Tensor& x, const torch::Tensor& y, double p, bool training) {
  const bool fused = training && p > 0 && has_kernel(y) && x.scalar_type() == torch::kFloat32 &&
                     x.sizes() == y.sizes();
  return fused ? AddDropped::apply(x, y, p, draw_key()) : x + maskless_dropout(y, p, training);
}

torch::Tensor dropout_factors(int64_t count, double p, uint64_t key) {
  auto factors = torch::empty({count});
  const Kernel kernel = kernel_of(p, key);
  for (int64_t i = 0; i < count; ++i) factors[i] = factor_of(i, kernel);
  return factors;
}

}  // namespace tfm

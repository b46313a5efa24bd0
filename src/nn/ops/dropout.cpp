#include "tfm/nn/ops/dropout.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include <algorithm>

namespace tfm {
namespace {

/// 32 well-mixed bits from an index under a key. The key enters twice, so that two keys' sequences are not shifts of each other.
inline uint32_t hash(uint32_t index, uint32_t key_low, uint32_t key_high) {
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
uint32_t threshold(double p) { return static_cast<uint32_t>(std::min(p * 4294967296.0, 4294967295.0)); }

struct Kernel {
  uint32_t key_low;
  uint32_t key_high;
  uint32_t limit;
  float scale;
};

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)  // the sanitizer's runtime is not up yet when the loader chooses among clones
#define TFM_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TFM_VECTOR_CLONES
#endif

/// Compiled for each instruction set and chosen at load time: the loop is 8 or 16 lanes wide where the machine has them.
TFM_VECTOR_CLONES void apply(const float* in, float* out, int64_t begin, int64_t end, const Kernel& kernel) {
  const Kernel k = kernel;
  for (int64_t i = begin; i < end; ++i) {
    const float factor = hash(static_cast<uint32_t>(i), k.key_low, k.key_high) >= k.limit ? k.scale : 0.0F;
    out[i] = in[i] * factor;
  }
}

torch::Tensor apply_key(const torch::Tensor& x, double p, uint64_t key) {
  const auto input = x.contiguous();
  auto output = torch::empty_like(input);
  const Kernel kernel{static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), threshold(p), static_cast<float>(1 / (1 - p))};
  const auto* in = input.const_data_ptr<float>();
  auto* out = output.mutable_data_ptr<float>();
  constexpr int64_t grain = 1 << 15;
  at::parallel_for(0, input.numel(), grain, [&](int64_t begin, int64_t end) { apply(in, out, begin, end, kernel); });
  return output;
}

class Dropout : public torch::autograd::Function<Dropout> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x, double p, int64_t key) {
    context->saved_data["p"] = p;
    context->saved_data["key"] = key;
    return apply_key(x, p, static_cast<uint64_t>(key));
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
    const auto key = static_cast<uint64_t>(context->saved_data["key"].toInt());
    return {apply_key(gradients[0], context->saved_data["p"].toDouble(), key), {}, {}};
  }
};

int64_t draw_key() { return torch::randint(std::numeric_limits<int64_t>::max(), {1}, torch::kInt64).item<int64_t>(); }

}  // namespace

torch::Tensor maskless_dropout(const torch::Tensor& x, double p, bool training) {
  if (!training || p <= 0) return x;
  if (!x.is_cpu() || x.scalar_type() != torch::kFloat32) return torch::dropout(x, p, training);
  return Dropout::apply(x, p, draw_key());
}

torch::Tensor dropout_factors(int64_t count, double p, uint64_t key) {
  auto factors = torch::empty({count});
  for (int64_t i = 0; i < count; ++i) {
    const bool kept = hash(static_cast<uint32_t>(i), static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)) >= threshold(p);
    factors[i] = kept ? static_cast<float>(1 / (1 - p)) : 0.0F;
  }
  return factors;
}

}  // namespace tfm

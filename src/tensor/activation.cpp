#include "tfm/tensor/activation.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <numbers>

#include "kernels/bf16.h"

namespace tfm {
namespace {

float gelu(float x) { return 0.5F * x * (1 + std::erf(x / std::numbers::sqrt2_v<float>)); }
float silu(float x) { return x / (1 + std::exp(-x)); }

template <class T>
void apply(const torch::Tensor& x, const torch::Tensor& y, float (*function)(float)) {
  const auto* from = static_cast<const T*>(x.const_data_ptr());
  auto* to = static_cast<T*>(y.mutable_data_ptr());
  at::parallel_for(0, x.numel(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) narrow(function(widen(from[i])), to[i]);
  });
}

torch::Tensor apply_to_elements(const torch::Tensor& x, float (*function)(float)) {
  const auto contiguous = x.contiguous();
  auto y = torch::empty_like(contiguous);
  x.scalar_type() == torch::kBFloat16 ? apply<Bf16>(contiguous, y, function)
                                      : apply<float>(contiguous, y, function);
  return y;
}

}  // namespace

torch::Tensor batch_invariant_gelu(const torch::Tensor& x) { return apply_to_elements(x, gelu); }
torch::Tensor batch_invariant_silu(const torch::Tensor& x) { return apply_to_elements(x, silu); }

}  // namespace tfm

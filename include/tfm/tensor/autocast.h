// In which numbers matrix products are computed. fp32 is the rule. While a Bf16AutocastGuard lives,
// linear (linear.h) and what is built on it multiply in bf16 on this thread: weights stay fp32 and
// are cast once, the first time each is met; norms, residual sums, softmax and gradients of weights
// stay fp32. Mixed precision after Micikevicius et al. 2018; bf16 has fp32's range, so no loss is
// scaled.
#pragma once

#include <torch/types.h>

#include <memory>

namespace tfm {

class Bf16AutocastGuard {
 public:
  /// on false: does nothing. Make one for each update: a weight that changes while it lives is not
  /// cast again.
  explicit Bf16AutocastGuard(bool on);
  ~Bf16AutocastGuard();
  Bf16AutocastGuard(const Bf16AutocastGuard&) = delete;
  Bf16AutocastGuard& operator=(const Bf16AutocastGuard&) = delete;

 private:
  struct Casts;
  friend bool autocast_enabled();
  friend torch::Tensor cached_cast(const torch::Tensor&);
  static inline thread_local Casts* current = nullptr;
  std::unique_ptr<Casts> casts_;
};

/// Whether products are computed in bf16 now.
bool autocast_enabled();
/// A parameter in the number format of products: its bf16 copy, without gradient, or itself.
torch::Tensor cached_cast(const torch::Tensor& parameter);

/// Whether Precision::automatic is bf16 on this device for a model of this width: on a GPU, and on
/// a CPU that multiplies it in hardware from a width of 128 on. Products of narrower models gain
/// nothing.
bool prefers_bf16(torch::Device device, int64_t hidden_size);

}  // namespace tfm

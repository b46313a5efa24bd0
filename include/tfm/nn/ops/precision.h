// In which numbers matrix products are computed. fp32 is the rule. While a Bf16Products lives,
// linear (linear.h) and what is built on it multiply in bf16 on this thread: weights stay fp32 and
// are cast once, the first time each is met; norms, residual sums, softmax and gradients of weights
// stay fp32. Mixed precision after Micikevicius et al. 2018; bf16 has fp32's range, so no loss is
// scaled.
#pragma once

#include <torch/types.h>

#include <memory>

#include "tfm/config/config.h"

namespace tfm {

class Bf16Products {
 public:
  /// on false: does nothing. Make one for each update: a weight that changes while it lives is not
  /// cast again.
  explicit Bf16Products(bool on);
  ~Bf16Products();
  Bf16Products(const Bf16Products&) = delete;
  Bf16Products& operator=(const Bf16Products&) = delete;

 private:
  struct Casts;
  friend bool bf16_products();
  friend torch::Tensor as_factor(const torch::Tensor&);
  static inline thread_local Casts* current = nullptr;
  std::unique_ptr<Casts> casts_;
};

/// Whether products are computed in bf16 now.
bool bf16_products();
/// A parameter in the number format of products: its bf16 copy, without gradient, or itself.
torch::Tensor as_factor(const torch::Tensor& parameter);

/// What `precision` means on this device for a model of this width: automatic is bf16 on a GPU, and
/// on a CPU that multiplies it in hardware from a width of 128 on. Products of narrower models gain
/// nothing.
bool wants_bf16(Precision precision, torch::Device device, int64_t hidden_size);

}  // namespace tfm

#include "tfm/nn/ops/precision.h"

#include <unordered_map>

namespace tfm {

struct Bf16Products::Casts {
  std::unordered_map<const c10::TensorImpl*, torch::Tensor> of;
  Casts* outer = nullptr;
};

Bf16Products::Bf16Products(bool on) {
  if (!on) return;
  casts_ = std::make_unique<Casts>();
  casts_->outer = current;
  current = casts_.get();
}

Bf16Products::~Bf16Products() {
  if (casts_) current = casts_->outer;
}

bool bf16_products() { return Bf16Products::current != nullptr; }

torch::Tensor as_factor(const torch::Tensor& parameter) {
  if (!bf16_products() || !parameter.defined()) return parameter;
  auto& cast = Bf16Products::current->of[parameter.unsafeGetTensorImpl()];
  if (!cast.defined()) cast = parameter.detach().to(torch::kBFloat16);
  return cast;
}

bool wants_bf16(Precision precision, torch::Device device, int64_t hidden_size) {
  if (precision != Precision::automatic) return precision == Precision::bf16;
  if (device.is_cuda()) return true;
#if defined(__x86_64__)
  constexpr int64_t wide_enough = 128;
  // whatever has AMX has it too
  return hidden_size >= wide_enough && __builtin_cpu_supports("avx512bf16") != 0;
#else
  static_cast<void>(hidden_size);
  return false;
#endif
}

}  // namespace tfm

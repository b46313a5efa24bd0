#include "tfm/tensor/autocast.h"

#include <unordered_map>

namespace tfm {

struct Bf16AutocastGuard::Casts {
  std::unordered_map<const c10::TensorImpl*, torch::Tensor> of;
  Casts* outer = nullptr;
};

Bf16AutocastGuard::Bf16AutocastGuard(bool on) {
  if (!on) return;
  casts_ = std::make_unique<Casts>();
  casts_->outer = current;
  current = casts_.get();
}

Bf16AutocastGuard::~Bf16AutocastGuard() {
  if (casts_) current = casts_->outer;
}

bool autocast_enabled() { return Bf16AutocastGuard::current != nullptr; }

torch::Tensor cached_cast(const torch::Tensor& parameter) {
  if (!autocast_enabled() || !parameter.defined()) return parameter;
  auto& cast = Bf16AutocastGuard::current->of[parameter.unsafeGetTensorImpl()];
  if (!cast.defined()) cast = parameter.detach().to(torch::kBFloat16);
  return cast;
}

bool prefers_bf16(torch::Device device, int64_t hidden_size) {
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

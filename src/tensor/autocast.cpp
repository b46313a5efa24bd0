#include "tfm/tensor/autocast.h"

#include <ATen/ops/_foreach_copy.h>

#include "kernels/cpu_features.h"
#include "tfm/tensor/device.h"

namespace tfm {

void WeightCasts::cast_all(std::span<const LinearPart> parts) {
  casts_.resize(parts.size());
  std::vector<torch::Tensor> from;
  std::vector<torch::Tensor> to;
  const auto add = [&](const torch::Tensor& rows) {
    from.push_back(rows.detach());
    return to.emplace_back(torch::empty(rows.sizes(), rows.options().dtype(type_)));
  };
  for (const LinearPart& part : parts) {
    auto& cast = casts_[part.slot];
    cast.weight = add(part.weight_rows());
    if (part.bias.defined()) cast.bias = add(part.bias_rows());
  }
  at::_foreach_copy_(to, from);
}

const WeightCasts::Cast& WeightCasts::cast(const LinearPart& part) {
  if (part.slot >= casts_.size()) casts_.resize(part.slot + 1);
  auto& cast = casts_[part.slot];
  if (!cast.weight.defined()) {
    cast.weight = part.weight_rows().detach().to(type_);
    if (part.bias.defined()) cast.bias = part.bias_rows().detach().to(type_);
  }
  return cast;
}

WeightCasts::Cast cached_cast(WeightCasts* casts, const LinearPart& part) {
  return casts != nullptr ? casts->cast(part)
                          : WeightCasts::Cast{part.weight_rows(), part.bias_rows()};
}

torch::ScalarType preferred_type(torch::Device device, int64_t hidden_size) {
  if (supports_fp16(device)) return supports_bf16(device) ? torch::kBFloat16 : torch::kFloat16;
  constexpr int64_t wide_enough = 128;
  return hidden_size >= wide_enough && cpu_features().bf16 ? torch::kBFloat16 : torch::kFloat32;
}

}  // namespace tfm

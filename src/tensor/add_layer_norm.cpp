#include "tfm/tensor/add_layer_norm.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "kernels/layer_norm_kernel.h"
#include "tfm/tensor/device.h"

namespace tfm {
namespace {

template <class Addend>
void run(const torch::Tensor& x, const torch::Tensor& y, NormAffine affine,
         const torch::Tensor& result) {
  const auto* from = x.const_data_ptr<float>();
  const auto* added = y.defined() ? static_cast<const Addend*>(y.const_data_ptr()) : nullptr;
  auto* to = result.mutable_data_ptr<float>();
  const int64_t width = x.size(-1);
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, width));
  const int64_t rows = x.numel() / std::max<int64_t>(1, width);
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * width;
    add_layer_norm_rows(AddLayerNorm<Addend>{from + first,
                                             added != nullptr ? added + first : nullptr,
                                             end - begin, width, affine, to + first});
  });
}

const float* data_or_null(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
}

}  // namespace

bool can_fuse_add_layer_norm(const torch::Tensor& x) {
  return !torch::GradMode::is_enabled() && has_tfm_kernels(x) && x.scalar_type() == torch::kFloat32;
}

torch::Tensor add_layer_norm(const torch::Tensor& x, const torch::Tensor& y,
                             const torch::Tensor& scale, const torch::Tensor& shift,
                             double epsilon) {
  const auto base = x.contiguous();
  const auto addend = y.defined() ? y.contiguous() : y;
  auto result = torch::empty_like(base);
  const NormAffine affine{data_or_null(scale), data_or_null(shift), static_cast<float>(epsilon)};
  const bool wide = !addend.defined() || addend.scalar_type() == torch::kFloat32;
  wide ? run<float>(base, addend, affine, result) : run<Bf16>(base, addend, affine, result);
  return result;
}

}  // namespace tfm

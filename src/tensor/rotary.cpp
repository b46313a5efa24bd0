#include "tfm/tensor/rotary.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include <algorithm>

#include "kernels/rotary_kernel.h"
#include "tfm/tensor/device.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class Number>
void rotate_rows(const Tensor& qkv, int64_t heads, const Tensor& positions, const Tensor& factors,
                 bool inverse, const Tensor& to) {
  const int64_t columns = qkv.size(1);
  const int64_t rotated = 2 * columns / 3;
  const int64_t width = rotated / (2 * heads);
  const auto* x = static_cast<const Number*>(qkv.const_data_ptr());
  auto* y = static_cast<Number*>(to.mutable_data_ptr());
  const auto* at = positions.const_data_ptr<int64_t>();
  const auto* table = factors.const_data_ptr<float>();
  constexpr int64_t numbers_per_task = 32768;
  const int64_t grain = std::max<int64_t>(1, numbers_per_task / columns);
  at::parallel_for(0, qkv.size(0), grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* cosines = table + at[row] * 2 * width;
      const Rotation rotation{.cosines = cosines, .sines = cosines + width, .inverse = inverse};
      const Number* from = x + row * columns;
      rotate_heads(from, 2 * heads, width, rotation, y + row * columns);
      std::copy(from + rotated, from + columns, y + row * columns + rotated);
    }
  });
}

Tensor rotate(const Tensor& qkv, int64_t heads, const Tensor& positions, const Tensor& factors,
              bool inverse) {
  const auto from = qkv.contiguous();
  auto to = torch::empty_like(from);
  from.scalar_type() == torch::kFloat32
      ? rotate_rows<float>(from, heads, positions, factors, inverse, to)
      : rotate_rows<Bf16>(from, heads, positions, factors, inverse, to);
  return to;
}

/// The gradient of a rotation is the inverse rotation.
class RotateQueriesAndKeys : public torch::autograd::Function<RotateQueriesAndKeys> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& qkv, int64_t heads,
                        const Tensor& positions, const Tensor& factors) {
    context->save_for_backward({positions, factors});
    context->saved_data["heads"] = heads;
    return rotate(qkv, heads, positions, factors, /*inverse=*/false);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    return {rotate(gradients[0], context->saved_data["heads"].toInt(), saved[0], saved[1],
                   /*inverse=*/true),
            {},
            {},
            {}};
  }
};

}  // namespace

Tensor rotary_factors(const Tensor& angles) {
  const auto cosine = angles.cos();
  const auto sine = angles.sin();
  return torch::stack({torch::stack({cosine, cosine}, -1).flatten(1),
                       torch::stack({-sine, sine}, -1).flatten(1)},
                      1)
      .to(torch::kFloat32)
      .contiguous();
}

Tensor rotate_by_factors(const Tensor& qkv, int64_t heads, const Tensor& rows) {
  // [N, 1, Dh] each
  const auto cosines = rows.slice(1, 0, 1);
  const auto sines = rows.slice(1, 1, 2);
  // [N, 3 * H, Dh]
  const auto all = qkv.unflatten(1, {3 * heads, -1});
  const auto x = all.slice(1, 0, 2 * heads);
  const auto swapped = x.unflatten(-1, {-1, 2}).flip(-1).flatten(-2);
  return torch::cat({torch::addcmul(x * cosines, swapped, sines), all.slice(1, 2 * heads)}, 1)
      .flatten(1);
}

Tensor rotate_queries_and_keys_by_operations(const Tensor& qkv, int64_t heads,
                                             const Tensor& positions, const Tensor& factors) {
  return rotate_by_factors(qkv, heads, factors.index_select(0, positions).to(qkv.scalar_type()));
}

Tensor rotate_queries_and_keys(const Tensor& qkv, int64_t heads, const Tensor& positions,
                               const Tensor& factors) {
  return has_tfm_kernels(qkv)
             ? RotateQueriesAndKeys::apply(qkv, heads, positions, factors)
             : rotate_queries_and_keys_by_operations(qkv, heads, positions, factors);
}

}  // namespace tfm

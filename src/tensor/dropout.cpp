#include "tfm/tensor/dropout.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include <limits>

#include "kernels/dropout_kernel.h"
#include "tfm/tensor/device.h"

namespace tfm {
namespace {

constexpr int64_t grain = 1 << 15;

template <class In, class Out>
void run(const torch::Tensor& input, torch::Tensor& output, DropoutKey key) {
  const auto* in = static_cast<const In*>(input.const_data_ptr());
  auto* out = static_cast<Out*>(output.mutable_data_ptr());
  at::parallel_for(0, input.numel(), grain,
                   [&](int64_t begin, int64_t end) { apply_dropout(in, out, {begin, end}, key); });
}

/// Returns x times the dropout factors of a key, in the data type `type`.
torch::Tensor apply_key(const torch::Tensor& x, DropoutKey key, torch::ScalarType type) {
  const auto input = x.contiguous();
  auto output = torch::empty_like(input, input.options().dtype(type));
  const bool wide = input.scalar_type() == torch::kFloat32;
  if (type == torch::kFloat32) {
    run<float, float>(input, output, key);
  } else if (wide) {
    run<float, Bf16>(input, output, key);
  } else {
    run<Bf16, Bf16>(input, output, key);
  }
  return output;
}

template <class In>
void run_add(const torch::Tensor& base, const torch::Tensor& input, torch::Tensor& output,
             DropoutKey key) {
  const auto* sum = base.const_data_ptr<float>();
  const auto* in = static_cast<const In*>(input.const_data_ptr());
  auto* out = output.mutable_data_ptr<float>();
  at::parallel_for(0, input.numel(), grain, [&](int64_t begin, int64_t end) {
    add_dropout(DropoutSum<In>{sum, in, out}, {begin, end}, key);
  });
}

torch::Tensor apply_key_and_add(const torch::Tensor& x, const torch::Tensor& y, DropoutKey key) {
  const auto base = x.contiguous();
  const auto input = y.contiguous();
  auto output = torch::empty_like(base);
  input.scalar_type() == torch::kFloat32 ? run_add<float>(base, input, output, key)
                                         : run_add<Bf16>(base, input, output, key);
  return output;
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Saves what the backward pass needs: the probability, the key, and the data type of the gradient
/// that it returns. Returns the key for the kernels.
DropoutKey save_dropout(AutogradContext* context, double p, int64_t key, torch::ScalarType type) {
  context->saved_data["p"] = p;
  context->saved_data["key"] = key;
  context->saved_data["type"] = type;
  return make_dropout_key(p, static_cast<uint64_t>(key));
}

torch::Tensor drop_gradient(AutogradContext* context, const torch::Tensor& gradient) {
  const auto key = static_cast<uint64_t>(context->saved_data["key"].toInt());
  return apply_key(gradient, make_dropout_key(context->saved_data["p"].toDouble(), key),
                   context->saved_data["type"].toScalarType());
}

class Dropout : public torch::autograd::Function<Dropout> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, double p,
                               int64_t key) {
    return apply_key(x, save_dropout(context, p, key, x.scalar_type()), x.scalar_type());
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {drop_gradient(context, gradients[0]), {}, {}};
  }
};

class DropoutAdd : public torch::autograd::Function<DropoutAdd> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& y, double p, int64_t key) {
    return apply_key_and_add(x, y, save_dropout(context, p, key, y.scalar_type()));
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {gradients[0], drop_gradient(context, gradients[0]), {}, {}};
  }
};

int64_t draw_key() {
  return torch::randint(std::numeric_limits<int64_t>::max(), {1}, torch::kInt64).item<int64_t>();
}

}  // namespace

torch::Tensor stateless_dropout(const torch::Tensor& x, double p, bool training) {
  if (!training || p <= 0) return x;
  if (!has_tfm_kernels(x)) return torch::dropout(x, p, training);
  return Dropout::apply(x, p, draw_key());
}

torch::Tensor dropout_add(const torch::Tensor& x, const torch::Tensor& y, double p, bool training) {
  const bool fused = training && p > 0 && has_tfm_kernels(y) &&
                     x.scalar_type() == torch::kFloat32 && x.sizes() == y.sizes();
  return fused ? DropoutAdd::apply(x, y, p, draw_key()) : x + stateless_dropout(y, p, training);
}

torch::Tensor reference_dropout_mask(int64_t count, double p, uint64_t key) {
  auto factors = torch::empty({count});
  const DropoutKey hashed = make_dropout_key(p, key);
  for (int64_t i = 0; i < count; ++i) factors[i] = dropout_factor(i, hashed);
  return factors;
}

}  // namespace tfm

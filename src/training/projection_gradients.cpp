#include "projection_gradients.h"

#include <algorithm>

namespace tfm {

int64_t chunk_rows(int64_t vocab_size) {
  constexpr int64_t numbers = 4 << 20;
  return std::clamp<int64_t>(numbers / vocab_size, 64, 4096);
}

ProjectionGradients::ProjectionGradients(const torch::Tensor& input, const Projection& factors)
    : sums(input.options().dtype(input.scalar_type() == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32)),
      hidden(torch::empty_like(input)),
      weight(torch::zeros(factors.weight.sizes(), sums)) {
  if (factors.bias.defined()) bias = torch::zeros(factors.bias.sizes(), sums);
}

void ProjectionGradients::add(const torch::Tensor& chunk, const torch::Tensor& logit_gradient, const Projection& factors, int64_t begin) {
  auto place = hidden.slice(0, begin, begin + chunk.size(0));
  at::mm_out(place, logit_gradient, factors.weight);
  if (logit_gradient.scalar_type() == weight.scalar_type()) {
    weight.addmm_(logit_gradient.t(), chunk);
  } else {
    weight += logit_gradient.t().mm(chunk);
  }
  if (bias.defined()) bias += logit_gradient.sum(0, /*keepdim=*/false, bias.scalar_type());
}

}  // namespace tfm

#include "output_gradients.h"

#include <algorithm>

#include "tfm/tensor/device.h"

namespace tfm {

namespace {

/// The number of rows of a whole chunk, and in bf16 also of the last chunk, is a multiple of this
/// number. oneDNN compiles a bf16 GEMM for each number of rows, so few different numbers should
/// occur.
constexpr int64_t row_multiple = 128;

}  // namespace

int64_t chunk_rows(int64_t vocab_size, torch::Device device) {
  if (!uses_host_memory(device)) return 4096;
  constexpr int64_t numbers = 4 << 20;
  return std::clamp<int64_t>(numbers / vocab_size / row_multiple * row_multiple, row_multiple,
                             4096);
}

torch::Tensor token_positions(const Targets& targets) {
  const auto padding = targets.ids.eq(targets.pad);
  if (uses_host_memory(targets.ids.device())) return padding.logical_not().nonzero().squeeze(1);
  // nonzero() would wait for the device, to learn the size of its result.
  return padding.to(torch::kInt8).argsort(/*stable=*/true, -1).narrow(0, 0, targets.tokens);
}

torch::Tensor pad_rows(const torch::Tensor& x, torch::ScalarType gemm_type) {
  const int64_t missing =
      gemm_type == torch::kBFloat16 ? (row_multiple - x.size(0) % row_multiple) % row_multiple : 0;
  if (missing == 0) return x;
  auto shape = x.sizes().vec();
  shape[0] = missing;
  return torch::cat({x, torch::zeros(shape, x.options())});
}

TargetRows::TargetRows(const torch::Tensor& targets, const std::optional<torch::Tensor>& weights,
                       const torch::Tensor& counted, int64_t rows) {
  const auto counted_rows = [&](const torch::Tensor& all) {
    return at::constant_pad_nd(all.index_select(0, counted), {0, rows - counted.size(0)});
  };
  ids = counted_rows(targets);
  if (weights) this->weights = counted_rows(*weights);
}

torch::Tensor TargetRows::weights_of(int64_t begin, int64_t end,
                                     const torch::TensorOptions& options) const {
  return weights.defined() ? weights.slice(0, begin, end).to(options) : weights;
}

ProjectionGradients::ProjectionGradients(const torch::Tensor& input,
                                         const OutputProjection& factors)
    : sums(input.options().dtype(input.scalar_type() == torch::kFloat64 ? torch::kFloat64
                                                                        : torch::kFloat32)),
      hidden(torch::empty_like(input)),
      weight(torch::zeros(factors.weight.sizes(), sums)) {
  if (factors.bias.defined()) bias = torch::zeros(factors.bias.sizes(), sums);
}

void ProjectionGradients::add(const torch::Tensor& chunk, const torch::Tensor& logit_gradient,
                              const OutputProjection& factors, int64_t begin) {
  auto rows = hidden.slice(0, begin, begin + chunk.size(0));
  at::mm_out(rows, logit_gradient, factors.weight);
  if (logit_gradient.scalar_type() == weight.scalar_type()) {
    weight.addmm_(logit_gradient.t(), chunk);
  } else {
    weight += logit_gradient.t().mm(chunk);
  }
  if (bias.defined()) bias += logit_gradient.sum(0, /*keepdim=*/false, bias.scalar_type());
}

torch::autograd::variable_list scale_saved_gradients(torch::autograd::AutogradContext& context,
                                                     const torch::Tensor& scale) {
  const auto saved = context.get_saved_variables();
  torch::autograd::variable_list gradients(9);
  for (std::size_t i = 0; i < saved.size(); ++i)
    if (saved[i].defined()) gradients[i] = saved[i] * scale;
  return gradients;
}

}  // namespace tfm

#include "tfm/training/projected_loss.h"

#include <torch/autograd.h>

#include <algorithm>
#include <optional>

#include "tfm/nn/ops/precision.h"
#include "tfm/training/softmax_kernel.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Gradients of the summed smoothed loss, and the sums.
struct Pass {
  Tensor hidden;  // [N', D]: of the tokens that count
  Tensor weight;  // [V, D]
  Tensor bias;    // [V] or undefined
  Tensor plain;
  Tensor uniform;
};

/// oneDNN compiles a bf16 product anew for each number of rows: it should meet few.
constexpr int64_t row_multiple = 128;

/// Tokens projected at once: their logits stay within the processor's caches, and the products are large enough to run at full speed.
int64_t chunk_rows(int64_t vocab_size) {
  constexpr int64_t numbers = 4 << 20;
  return std::clamp<int64_t>(numbers / vocab_size / row_multiple * row_multiple, row_multiple, 4096);
}

/// x [N, ...] with zero rows at its end, so that bf16 has a multiple of row_multiple.
Tensor with_whole_rows(const Tensor& x, torch::ScalarType products) {
  const int64_t missing = products == torch::kBFloat16 ? (row_multiple - x.size(0) % row_multiple) % row_multiple : 0;
  if (missing == 0) return x;
  auto shape = x.sizes().vec();
  shape[0] = missing;
  return torch::cat({x, torch::zeros(shape, x.options())});
}

/// The kernel's work in plain operations, for other devices and number formats.
void softmax_gradient_plainly(Tensor& logits, const Tensor& targets, double smoothing, Tensor& plain, Tensor& uniform) {
  const auto type = logits.scalar_type() == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
  const auto log_probs = torch::log_softmax(logits, -1, type);
  const auto column = targets.unsqueeze(1);
  plain = -log_probs.gather(1, column).squeeze(1);
  uniform = -log_probs.mean(-1);
  auto gradient = log_probs.exp() - smoothing / static_cast<double>(logits.size(1));
  gradient.scatter_add_(1, column, torch::full_like(plain, smoothing - 1).unsqueeze(1));
  logits = gradient.to(logits.scalar_type());
}

/// Each chunk's logits become their own gradient, which at once goes into those of hidden, weight and bias. Only the first `count` rows of hidden and
/// targets are tokens.
Pass run_chunks(const Tensor& hidden, const Projection& factors, const Tensor& targets, int64_t count, double smoothing) {
  const auto& weight = factors.weight;
  const auto sums = hidden.options().dtype(hidden.scalar_type() == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32);
  Pass pass{torch::empty_like(hidden), torch::zeros(weight.sizes(), sums), {}, torch::zeros({}, sums), torch::zeros({}, sums)};
  if (factors.bias.defined()) pass.bias = torch::zeros(factors.bias.sizes(), sums);
  const bool kernel = hidden.is_cpu() && hidden.scalar_type() != torch::kFloat64;
  const int64_t rows = chunk_rows(weight.size(0));
  for (int64_t begin = 0; begin < hidden.size(0); begin += rows) {
    const int64_t end = std::min(begin + rows, hidden.size(0));
    const auto chunk = hidden.slice(0, begin, end);
    auto scores = torch::linear(chunk, weight, factors.bias);  // [rows, V]
    auto plain = torch::empty({end - begin}, sums);
    auto uniform = torch::empty_like(plain);
    (kernel ? softmax_gradient_ : softmax_gradient_plainly)(scores, targets.slice(0, begin, end), smoothing, plain, uniform);
    const int64_t tokens = std::min(end, count) - begin;
    scores.slice(0, tokens).zero_();
    pass.plain += plain.slice(0, 0, tokens).sum();
    pass.uniform += uniform.slice(0, 0, tokens).sum();
    auto gradient = pass.hidden.slice(0, begin, end);
    at::mm_out(gradient, scores, weight);
    if (scores.scalar_type() == sums.dtype().toScalarType()) {
      pass.weight.addmm_(scores.t(), chunk);
    } else {
      pass.weight += scores.t().mm(chunk);
    }
    if (pass.bias.defined()) pass.bias += scores.sum(0, /*keepdim=*/false, pass.bias.scalar_type());
  }
  return pass;
}

class ProjectedCrossEntropy : public torch::autograd::Function<ProjectedCrossEntropy> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& hidden, const Tensor& weight, const std::optional<Tensor>& bias,
                               const Tensor& targets, int64_t pad, double smoothing) {
    const auto counted = targets.ne(pad).nonzero().squeeze(1);
    const int64_t count = counted.size(0);
    const Projection factors{as_factor(weight), as_factor(bias.value_or(Tensor()))};
    const auto products = factors.weight.scalar_type();
    const auto tokens = with_whole_rows(hidden.index_select(0, counted).to(products), products);
    auto pass = run_chunks(tokens, factors, with_whole_rows(targets.index_select(0, counted), products), count, smoothing);
    const auto gradient = pass.hidden.narrow(0, 0, count).to(hidden.scalar_type());
    context->save_for_backward({torch::zeros_like(hidden).index_copy_(0, counted, gradient), pass.weight, pass.bias});
    const auto smoothed = (1 - smoothing) * pass.plain + smoothing * pass.uniform;
    context->mark_non_differentiable({pass.plain});
    return {smoothed, pass.plain};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& scale = gradients[0];
    return {saved[0] * scale, saved[1] * scale, saved[2].defined() ? saved[2] * scale : Tensor(), {}, {}, {}};
  }
};

}  // namespace

LossSums projected_cross_entropy(const Tensor& hidden, const Projection& projection, const Tensor& targets, int64_t pad, double label_smoothing) {
  const auto bias = projection.bias.defined() ? std::optional(projection.bias) : std::nullopt;
  const auto sums = ProjectedCrossEntropy::apply(hidden, projection.weight, bias, targets, pad, label_smoothing);
  return {sums[0], sums[1]};
}

}  // namespace tfm

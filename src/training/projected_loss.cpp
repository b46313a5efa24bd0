#include "tfm/training/projected_loss.h"

#include <torch/autograd.h>

#include <algorithm>
#include <optional>

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

/// Tokens projected at once: their logits stay within the processor's caches, and the products are large enough to run at full speed.
int64_t chunk_rows(int64_t vocab_size) {
  constexpr int64_t floats = 4 << 20;
  return std::clamp<int64_t>(floats / vocab_size, 64, 4096);
}

/// The softmax part of every gradient, chunk by chunk.
Pass softmax_pass(const Tensor& hidden, const Projection& projection, const Tensor& targets) {
  const auto& weight = projection.weight;
  Pass pass{torch::empty_like(hidden), torch::zeros_like(weight), {}, torch::zeros({}, hidden.options()), torch::zeros({}, hidden.options())};
  if (projection.bias.defined()) pass.bias = torch::zeros_like(projection.bias);
  const int64_t rows = chunk_rows(weight.size(0));
  for (int64_t begin = 0; begin < hidden.size(0); begin += rows) {
    const int64_t end = std::min(begin + rows, hidden.size(0));
    const auto chunk = hidden.slice(0, begin, end);
    auto scores = torch::log_softmax(torch::linear(chunk, weight, projection.bias), -1);  // [rows, V]
    pass.plain -= scores.gather(1, targets.slice(0, begin, end).unsqueeze(1)).sum();
    pass.uniform -= scores.sum();
    scores.exp_();  // now probabilities
    auto gradient = pass.hidden.slice(0, begin, end);
    at::mm_out(gradient, scores, weight);
    pass.weight.addmm_(scores.t(), chunk);
    if (pass.bias.defined()) pass.bias += scores.sum(0);
  }
  pass.uniform /= weight.size(0);
  return pass;
}

/// Adds the terms of the targets: -(1 - e) onehot(y) - e / V.
void target_terms(Pass& pass, const Tensor& hidden, const Tensor& weight, const Tensor& targets, double smoothing) {
  const double each = smoothing / static_cast<double>(weight.size(0));
  pass.hidden.sub_(weight.index_select(0, targets), 1 - smoothing).sub_(weight.sum(0), each);
  pass.weight.index_add_(0, targets, hidden, -(1 - smoothing)).sub_(hidden.sum(0), each);
  if (!pass.bias.defined()) return;
  const auto tokens = torch::ones({targets.size(0)}, hidden.options());
  pass.bias.index_add_(0, targets, tokens, -(1 - smoothing)).sub_(each * static_cast<double>(targets.size(0)));
}

class ProjectedCrossEntropy : public torch::autograd::Function<ProjectedCrossEntropy> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& hidden, const Tensor& weight, const std::optional<Tensor>& bias,
                               const Tensor& targets, int64_t pad, double smoothing) {
    const auto counted = targets.ne(pad).nonzero().squeeze(1);
    const auto tokens = hidden.index_select(0, counted);
    const auto labels = targets.index_select(0, counted);
    auto pass = softmax_pass(tokens, {weight, bias.value_or(Tensor())}, labels);
    target_terms(pass, tokens, weight, labels, smoothing);
    context->save_for_backward({torch::zeros_like(hidden).index_copy_(0, counted, pass.hidden), pass.weight, pass.bias});
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

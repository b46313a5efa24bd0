#include "tfm/losses/linear_cross_entropy.h"

#include <torch/autograd.h>

#include <algorithm>
#include <optional>

#include "output_gradients.h"
#include "tfm/losses/cross_entropy_gradient.h"
#include "tfm/tensor/optional_tensor.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Gradients of the summed smoothed loss, and the sums.
struct CrossEntropyPass {
  ProjectionGradients gradients;  // of the tokens that count
  Tensor plain;
  Tensor uniform;
};

/// The kernel's work in plain operations, for other devices and number formats.
void softmax_gradient_plainly(Tensor& logits, const Tensor& targets, double smoothing,
                              Tensor& plain, Tensor& uniform) {
  const auto type = logits.scalar_type() == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
  const auto log_probs = torch::log_softmax(logits, -1, type);
  const auto column = targets.unsqueeze(1);
  plain = -log_probs.gather(1, column).squeeze(1);
  uniform = -log_probs.mean(-1);
  auto gradient = log_probs.exp() - smoothing / static_cast<double>(logits.size(1));
  gradient.scatter_add_(1, column, torch::full_like(plain, smoothing - 1).unsqueeze(1));
  logits = gradient.to(logits.scalar_type());
}

/// Only the first `count` rows of hidden and targets are tokens.
CrossEntropyPass run_chunks(const Tensor& hidden, const OutputProjection& factors,
                            const Tensor& targets, int64_t count, double smoothing) {
  ProjectionGradients gradients(hidden, factors);
  CrossEntropyPass pass{gradients, torch::zeros({}, gradients.sums),
                        torch::zeros({}, gradients.sums)};
  const bool kernel = hidden.is_cpu() && hidden.scalar_type() != torch::kFloat64;
  const int64_t rows = chunk_rows(factors.weight.size(0));
  for (int64_t begin = 0; begin < hidden.size(0); begin += rows) {
    const int64_t end = std::min(begin + rows, hidden.size(0));
    const auto chunk = hidden.slice(0, begin, end);
    auto scores = torch::linear(chunk, factors.weight, factors.bias);  // [rows, V]
    auto plain = torch::empty({end - begin}, gradients.sums);
    auto uniform = torch::empty_like(plain);
    (kernel ? cross_entropy_backward_ : softmax_gradient_plainly)(
        scores, targets.slice(0, begin, end), smoothing, plain, uniform);
    const int64_t tokens = std::min(end, count) - begin;
    scores.slice(0, tokens).zero_();
    pass.plain += plain.slice(0, 0, tokens).sum();
    pass.uniform += uniform.slice(0, 0, tokens).sum();
    gradients.add(chunk, scores, factors, begin);
  }
  return pass;
}

class ProjectedCrossEntropy : public torch::autograd::Function<ProjectedCrossEntropy> {
 public:
  /// weight and bias are there for their gradients; factor and shift are what is computed with.
  static variable_list forward(AutogradContext* context, const Tensor& hidden,
                               const Tensor& /*weight*/, const std::optional<Tensor>& /*bias*/,
                               const Tensor& factor, const std::optional<Tensor>& shift,
                               const Tensor& targets, int64_t pad, double smoothing) {
    const auto counted = targets.ne(pad).nonzero().squeeze(1);
    const int64_t count = counted.size(0);
    const OutputProjection factors{factor, shift.value_or(Tensor()), {}, {}};
    const auto products = factors.weight.scalar_type();
    const auto tokens = with_whole_rows(hidden.index_select(0, counted).to(products), products);
    const auto pass =
        run_chunks(tokens, factors, with_whole_rows(targets.index_select(0, counted), products),
                   count, smoothing);
    const auto& gradients = pass.gradients;
    const auto of_tokens = gradients.hidden.narrow(0, 0, count).to(hidden.scalar_type());
    context->save_for_backward({torch::zeros_like(hidden).index_copy_(0, counted, of_tokens),
                                gradients.weight, gradients.bias});
    const auto smoothed = (1 - smoothing) * pass.plain + smoothing * pass.uniform;
    context->mark_non_differentiable({pass.plain});
    return {smoothed, pass.plain};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return scale_saved_gradients(*context, gradients[0]);
  }
};

}  // namespace

LossSums linear_cross_entropy(const Tensor& hidden, const OutputProjection& projection,
                              const Tensor& targets, int64_t pad, double label_smoothing) {
  const auto sums = ProjectedCrossEntropy::apply(
      hidden, projection.weight, if_defined(projection.bias), projection.factor(),
      if_defined(projection.shift()), targets, pad, label_smoothing);
  return {sums[0], sums[1]};
}

}  // namespace tfm

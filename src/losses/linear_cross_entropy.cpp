#include "tfm/losses/linear_cross_entropy.h"

#include <torch/autograd.h>

#include <algorithm>
#include <optional>

#include "output_gradients.h"
#include "tfm/losses/cross_entropy_gradient.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/optional_tensor.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The losses, summed over all tokens except padding, and the gradients of the smoothed loss.
struct CrossEntropyPass {
  ProjectionGradients gradients;
  Tensor plain;
  Tensor uniform;
};

/// Computes the same as cross_entropy_backward_ with LibTorch operations, for devices and data
/// types without a kernel.
void reference_softmax_gradient(Tensor& logits, const Tensor& targets, double smoothing,
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

/// Computes the losses and their gradients. Only the first `count` rows of hidden and of the rows'
/// targets and weights are real; the others are padding.
CrossEntropyPass run_chunks(const Tensor& hidden, const OutputProjection& factors,
                            const TargetRows& targets, int64_t count, double smoothing) {
  ProjectionGradients gradients(hidden, factors);
  CrossEntropyPass pass{gradients, torch::zeros({}, gradients.sums),
                        torch::zeros({}, gradients.sums)};
  const bool kernel = has_tfm_kernels(hidden);
  const int64_t rows = chunk_rows(factors.weight.size(0), hidden.device());
  for (int64_t begin = 0; begin < hidden.size(0); begin += rows) {
    const int64_t end = std::min(begin + rows, hidden.size(0));
    const auto chunk = hidden.slice(0, begin, end);
    auto scores = torch::linear(chunk, factors.weight, factors.bias);  // [rows, V]
    auto plain = torch::empty({end - begin}, gradients.sums);
    auto uniform = torch::empty_like(plain);
    (kernel ? cross_entropy_backward_ : reference_softmax_gradient)(
        scores, targets.ids.slice(0, begin, end), smoothing, plain, uniform);
    if (const auto weights = targets.weights_of(begin, end, gradients.sums); weights.defined()) {
      scores.mul_(weights.unsqueeze(1));
      plain *= weights;
      uniform *= weights;
    }
    const int64_t tokens = std::min(end, count) - begin;
    scores.slice(0, tokens).zero_();
    pass.plain += plain.slice(0, 0, tokens).sum();
    pass.uniform += uniform.slice(0, 0, tokens).sum();
    gradients.add(chunk, scores, factors, begin);
  }
  return pass;
}

class LinearCrossEntropy : public torch::autograd::Function<LinearCrossEntropy> {
 public:
  /// The weight and bias are inputs only so that they receive gradients. The forward pass uses
  /// gemm_weight and gemm_bias in their place.
  static variable_list forward(AutogradContext* context, const Tensor& hidden,
                               const Tensor& /*weight*/, const std::optional<Tensor>& /*bias*/,
                               const Tensor& gemm_weight, const std::optional<Tensor>& gemm_bias,
                               const Tensor& targets, const std::optional<Tensor>& weights,
                               const Tensor& counted, double smoothing) {
    const int64_t count = counted.size(0);
    const OutputProjection factors{gemm_weight, gemm_bias.value_or(Tensor()), {}, {}};
    const auto gemm_type = factors.weight.scalar_type();
    const auto tokens = pad_rows(hidden.index_select(0, counted).to(gemm_type), gemm_type);
    const TargetRows rows(targets, weights, counted, tokens.size(0));
    const auto pass = run_chunks(tokens, factors, rows, count, smoothing);
    const auto& gradients = pass.gradients;
    const auto token_gradient = gradients.hidden.narrow(0, 0, count).to(hidden.scalar_type());
    context->save_for_backward({torch::zeros_like(hidden).index_copy_(0, counted, token_gradient),
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
                              const Targets& targets, double label_smoothing) {
  const auto sums = LinearCrossEntropy::apply(
      hidden, projection.weight, if_defined(projection.bias), projection.gemm_weight(),
      if_defined(projection.gemm_bias()), targets.ids, if_defined(targets.weights),
      token_positions(targets), label_smoothing);
  return {sums[0], sums[1]};
}

}  // namespace tfm

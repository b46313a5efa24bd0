#include "tfm/losses/linear_consistency_loss.h"

#include <torch/autograd.h>

#include <algorithm>
#include <optional>

#include "output_gradients.h"
#include "tfm/losses/consistency_loss_gradient.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/optional_tensor.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Returns the gradient of the divergences with respect to the logits of one prediction. `own` and
/// `other` are the log-probabilities of this prediction and of the other one. `toward` is the
/// weight of KL(own || other), and `away` is the weight of KL(other || own).
Tensor side_gradient(const Tensor& own, const Tensor& other, double toward, double away) {
  const auto probability = own.exp();
  const auto difference = own - other;
  const auto divergence = (probability * difference).sum(-1, /*keepdim=*/true);
  return toward * probability * (difference - divergence) + away * (probability - other.exp());
}

/// Returns weight * (softmax - smoothed target).
Tensor target_gradient(const Tensor& log_probs, const Tensor& targets, double smoothing,
                       double weight) {
  auto gradient = log_probs.exp() - smoothing / static_cast<double>(log_probs.size(1));
  const auto column = targets.unsqueeze(1);
  return weight * gradient.scatter_add_(
                      1, column, torch::full_like(column, smoothing - 1, gradient.options()));
}

/// Computes the same as consistency_loss_backward_ with LibTorch operations, for devices and data
/// types without a kernel.
void reference_pair_gradient(Tensor& logits, const Tensor& targets, const ConsistencyLoss& loss,
                             Tensor& smoothed, Tensor& plain) {
  const auto type = logits.scalar_type() == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
  const auto both = torch::log_softmax(logits, -1, type).unflatten(0, {-1, 2});
  const auto p = both.select(1, 0);
  const auto q = both.select(1, 1);
  const auto column = targets.unsqueeze(1);
  plain = -(loss.first * p.gather(1, column) + loss.second * q.gather(1, column)).squeeze(1);
  const auto uniform = -(loss.first * p.mean(-1) + loss.second * q.mean(-1));
  const auto divergence = ((loss.forward * p.exp() - loss.backward * q.exp()) * (p - q)).sum(-1);
  smoothed = (1 - loss.label_smoothing) * plain + loss.label_smoothing * uniform + divergence;
  const auto first_gradient = target_gradient(p, targets, loss.label_smoothing, loss.first) +
                              side_gradient(p, q, loss.forward, loss.backward);
  const auto second_gradient = target_gradient(q, targets, loss.label_smoothing, loss.second) +
                               side_gradient(q, p, loss.backward, loss.forward);
  logits =
      torch::stack({first_gradient, second_gradient}, 1).flatten(0, 1).to(logits.scalar_type());
}

struct ConsistencyPass {
  ProjectionGradients gradients;
  Tensor smoothed;
  Tensor plain;
};

/// Computes the loss and its gradients. hidden [2N, D] holds both predictions of each of the N
/// targets in adjacent rows. Only the first `count` targets are real; the others are padding.
ConsistencyPass run_chunks(const Tensor& hidden, const OutputProjection& factors,
                           const TargetRows& targets, int64_t count, const ConsistencyLoss& loss) {
  ProjectionGradients gradients(hidden, factors);
  ConsistencyPass pass{gradients, torch::zeros({}, gradients.sums),
                       torch::zeros({}, gradients.sums)};
  const bool kernel = has_tfm_kernels(hidden);
  const int64_t pairs = chunk_rows(factors.weight.size(0), hidden.device()) / 2;
  for (int64_t begin = 0; begin < targets.ids.size(0); begin += pairs) {
    const int64_t end = std::min(begin + pairs, targets.ids.size(0));
    const auto chunk = hidden.slice(0, 2 * begin, 2 * end);
    auto scores = torch::linear(chunk, factors.weight, factors.bias);  // [2 * pairs, V]
    auto smoothed = torch::empty({end - begin}, gradients.sums);
    auto plain = torch::empty_like(smoothed);
    (kernel ? consistency_loss_backward_ : reference_pair_gradient)(
        scores, targets.ids.slice(0, begin, end), loss, smoothed, plain);
    if (const auto weights = targets.weights_of(begin, end, gradients.sums); weights.defined()) {
      scores.mul_(weights.repeat_interleave(2).unsqueeze(1));
      smoothed *= weights;
      plain *= weights;
    }
    const int64_t tokens = std::min(end, count) - begin;
    scores.slice(0, 2 * tokens).zero_();
    pass.smoothed += smoothed.slice(0, 0, tokens).sum();
    pass.plain += plain.slice(0, 0, tokens).sum();
    gradients.add(chunk, scores, factors, 2 * begin);
  }
  return pass;
}

class LinearConsistencyLoss : public torch::autograd::Function<LinearConsistencyLoss> {
 public:
  /// The weight and bias are inputs only so that they receive gradients. The forward pass uses
  /// gemm_weight and gemm_bias in their place.
  static variable_list forward(AutogradContext* context, const Tensor& hidden,
                               const Tensor& /*weight*/, const std::optional<Tensor>& /*bias*/,
                               const Tensor& gemm_weight, const std::optional<Tensor>& gemm_bias,
                               const Tensor& targets, const std::optional<Tensor>& weights,
                               const Tensor& counted, const ConsistencyLoss& loss) {
    const auto order = torch::stack({counted, counted + targets.size(0)}, 1).flatten();
    const int64_t count = counted.size(0);
    const OutputProjection factors{gemm_weight, gemm_bias.value_or(Tensor()), {}, {}};
    const auto gemm_type = factors.weight.scalar_type();
    const auto tokens = pad_rows(hidden.index_select(0, order).to(gemm_type), gemm_type);
    const TargetRows rows(targets, weights, counted, tokens.size(0) / 2);
    const auto pass = run_chunks(tokens, factors, rows, count, loss);
    const auto& gradients = pass.gradients;
    const auto token_gradient = gradients.hidden.narrow(0, 0, 2 * count).to(hidden.scalar_type());
    context->save_for_backward({torch::zeros_like(hidden).index_copy_(0, order, token_gradient),
                                gradients.weight, gradients.bias});
    context->mark_non_differentiable({pass.plain});
    return {pass.smoothed, pass.plain};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return scale_saved_gradients(*context, gradients[0]);
  }
};

}  // namespace

LossSums linear_consistency_loss(const Tensor& hidden, const OutputProjection& projection,
                                 const Targets& targets, const ConsistencyLoss& loss) {
  const auto sums = LinearConsistencyLoss::apply(
      hidden, projection.weight, if_defined(projection.bias), projection.gemm_weight(),
      if_defined(projection.gemm_bias()), targets.ids, if_defined(targets.weights),
      token_positions(targets), loss);
  return {sums[0], sums[1]};
}

}  // namespace tfm

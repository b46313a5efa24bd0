#include "tfm/losses/cross_entropy.h"

namespace tfm {

LossSums cross_entropy_sums(const torch::Tensor& logits, const torch::Tensor& targets, int64_t pad,
                            double label_smoothing) {
  // [B * T, V]
  const auto log_probs = torch::log_softmax(logits.flatten(0, 1), -1, torch::kFloat32);
  const auto flat = targets.flatten();
  const auto plain = at::nll_loss(log_probs, flat, {}, at::Reduction::Sum, pad);
  if (label_smoothing <= 0) return {plain, plain.detach()};
  const auto is_token = flat.ne(pad);
  const auto uniform = log_probs.mean(-1).neg().masked_fill(is_token.logical_not(), 0).sum();
  return {(1 - label_smoothing) * plain + label_smoothing * uniform, plain.detach()};
}

LossSums consistency_loss_sums(const torch::Tensor& first, const torch::Tensor& second,
                               const torch::Tensor& targets, int64_t pad,
                               const ConsistencyLoss& loss) {
  const auto first_loss = cross_entropy_sums(first, targets, pad, loss.label_smoothing);
  const auto second_loss = cross_entropy_sums(second, targets, pad, loss.label_smoothing);
  const auto p = torch::log_softmax(first, -1, torch::kFloat32);  // [B, T, V]
  const auto q = torch::log_softmax(second, -1, torch::kFloat32);
  const auto is_token = targets.ne(pad).unsqueeze(-1);
  const auto divergence = (loss.forward * p.exp() - loss.backward * q.exp()) * (p - q);
  return {loss.first * first_loss.smoothed + loss.second * second_loss.smoothed +
              divergence.masked_fill(is_token.logical_not(), 0).sum(),
          loss.first * first_loss.plain + loss.second * second_loss.plain};
}

}  // namespace tfm

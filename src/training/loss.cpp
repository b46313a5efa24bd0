#include "tfm/training/loss.h"

namespace tfm {

LossSums cross_entropy_sums(const torch::Tensor& logits, const torch::Tensor& targets, int64_t pad, double label_smoothing) {
  const auto log_probs = torch::log_softmax(logits.flatten(0, 1), -1, torch::kFloat32);  // [B * T, V]
  const auto flat = targets.flatten();
  const auto plain = at::nll_loss(log_probs, flat, {}, at::Reduction::Sum, pad);
  if (label_smoothing <= 0) return {plain, plain.detach()};
  const auto counts = flat.ne(pad);
  const auto uniform = log_probs.mean(-1).neg().masked_fill(counts.logical_not(), 0).sum();
  return {(1 - label_smoothing) * plain + label_smoothing * uniform, plain.detach()};
}

}  // namespace tfm

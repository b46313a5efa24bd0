// Log-softmax of each row of logits, for search: one pass to widen, one to sum, one to subtract,
// while the row is in the processor's cache. The plain reference is torch::log_softmax.
#pragma once

#include <torch/types.h>

namespace tfm {

/// logits [R, V] fp32 or bf16, on any device -> log-probabilities [R, V] fp32 on the CPU. For
/// inference.
torch::Tensor log_softmax_rows(const torch::Tensor& logits);
/// The same, in place of the logits where they are fp32 on the CPU: half the memory to visit.
torch::Tensor log_softmax_rows_(const torch::Tensor& logits);

}  // namespace tfm

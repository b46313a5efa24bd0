// Computes the log-softmax of each row of logits, for search. While a row is in the CPU cache,
// three passes convert it to fp32 and find its maximum, sum the exponentials, and subtract the
// logarithm of the sum. The reference implementation is torch::log_softmax.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Returns the log-probabilities [R, V], fp32 on the CPU, of logits [R, V], fp32 or bf16 on any
/// device. This is for inference only.
torch::Tensor log_softmax_rows(const torch::Tensor& logits);
/// Returns the same as log_softmax_rows, but replaces the logits in place if they are contiguous
/// fp32 on the CPU, which halves the memory traffic.
torch::Tensor log_softmax_rows_(const torch::Tensor& logits);

}  // namespace tfm

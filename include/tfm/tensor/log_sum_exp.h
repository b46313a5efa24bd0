// The normalisers of rows of logits: a token's log-probability is its logit minus the log-sum of
// its row, so log-probabilities of the whole vocabulary are never written. A row is read twice
// while it is in the CPU's cache, to find the highest logit of each block and to sum the
// exponentials. The reference implementation is torch::logsumexp.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace tfm {

/// Logits and what was computed from them, on the CPU.
struct NormalizedLogits {
  torch::Tensor logits;             ///< [R, V], contiguous fp32
  std::vector<float> log_sums;      ///< [R]; NaN for a row with a logit that is NaN or +inf
  std::vector<float> block_maxima;  ///< [R, ceil(V / block_size)]: the highest logit of each block
};

/// Computes the log-sums of logits [R, V], fp32 or bf16 on any device, for inference only.
/// `block_size` is a multiple of 16.
NormalizedLogits log_sum_exp_rows(const torch::Tensor& logits, std::int64_t block_size);

/// Finds only the highest logits. Each log-sum is 0, or NaN for a row with a logit that is NaN or
/// +inf.
NormalizedLogits block_maxima_rows(const torch::Tensor& logits, std::int64_t block_size);

/// The most probable tokens of each row, in descending order, on the CPU. NaN counts as the
/// highest.
struct TopTokens {
  std::vector<std::int32_t> tokens;  ///< [R, K]
  std::vector<float> log_probs;      ///< [R, K]
};

/// Returns the `count` most probable tokens of each row of log-probabilities [R, V], fp32 on any
/// device. Everything is copied from the device at once.
TopTokens top_tokens(const torch::Tensor& log_probs, std::int64_t count);

/// Returns the log-probability of one token of each row, [R] fp32 on the CPU, for logits [R, V] and
/// tokens [R] on any device. Only the R results are copied from another device.
torch::Tensor select_log_probs(const torch::Tensor& logits, const torch::Tensor& tokens);

}  // namespace tfm

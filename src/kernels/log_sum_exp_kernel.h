// The inner loops of log_sum_exp.h, for one row.
#pragma once

#include <cstdint>

namespace tfm {

/// Returns log sum_j e^logits[j], or NaN if a logit is NaN or +inf. Writes the highest logit of
/// each `block` consecutive ones to block_maxima [ceil(width / block)]. The block is a multiple of
/// max_lanes (simd.h).
float log_sum_exp_row(const float* logits, int64_t width, int64_t block, float* block_maxima);

/// Writes only block_maxima. Returns 0, or NaN if a logit is NaN or +inf.
float block_maxima_row(const float* logits, int64_t width, int64_t block, float* block_maxima);

}  // namespace tfm

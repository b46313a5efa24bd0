// The inner loop of log_softmax.h, for one row.
#pragma once

#include <cstdint>

#include "bf16.h"

namespace tfm {

/// Computes to[i] = logits[i] - log sum_j e^logits[j]. If any logit is NaN or +inf, every result is
/// NaN.
void log_softmax_row(const float* logits, int64_t width, float* to);
void log_softmax_row(const Bf16* logits, int64_t width, float* to);
void log_softmax_row(float* row, int64_t width);  ///< replaces the logits in place

}  // namespace tfm

// The inner loop of log_softmax.h: one row.
#pragma once

#include <cstdint>

#include "bf16.h"

namespace tfm {

/// to[i] = logits[i] - log sum_j e^logits[j]. A NaN or +inf anywhere makes every result NaN.
void log_softmax_row(const float* logits, int64_t width, float* to);
void log_softmax_row(const Bf16* logits, int64_t width, float* to);
void log_softmax_row(float* row, int64_t width);  ///< in place

}  // namespace tfm

// Softmax of one row of scores, for the loops of vector_clones.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tfm/nn/ops/small_product.h"
#include "tfm/nn/ops/vector_exp.h"

namespace tfm {

TFM_INLINE float sum_of(const float (&lanes)[lane_count]) {
  float sum = 0;
  for (const float each : lanes) sum += each;
  return sum;
}

/// The first `seen` (at least one) scores become probabilities, those up to `padded` (a multiple of the lanes) zero.
TFM_INLINE void row_softmax(float* row, int64_t seen, int64_t padded) {
  const int64_t whole = seen - seen % lane_count;
  float high[lane_count];
  std::fill(high, high + lane_count, row[0]);
  for (int64_t i = 0; i < whole; i += lane_count) {
    for (int64_t j = 0; j < lane_count; ++j) high[j] = row[i + j] > high[j] ? row[i + j] : high[j];
  }
  float largest = high[0];
  for (const float each : high) largest = std::max(largest, each);
  for (int64_t i = whole; i < seen; ++i) largest = std::max(largest, row[i]);
  for (int64_t i = 0; i < seen; ++i) row[i] -= largest;
  for (int64_t i = seen; i < padded; ++i) row[i] = -100;  // whose e^x is zero here
  float sums[lane_count] = {};
  for (int64_t i = 0; i < padded; i += lane_count) {
    for (int64_t j = 0; j < lane_count; ++j) sums[j] += row[i + j] = exp_of_negative(row[i + j]);
  }
  const float scale = 1 / sum_of(sums);
  for (int64_t i = 0; i < padded; ++i) row[i] *= scale;
}

}  // namespace tfm

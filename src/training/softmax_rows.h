// What kernels over rows of logits share: a row's sums. To be inlined into functions with TFM_VECTOR_CLONES.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "tfm/nn/ops/vector_clones.h"
#include "tfm/nn/ops/vector_exp.h"

namespace tfm {

struct RowSums {
  float largest;
  float sum;      // of the logits
  float exp_sum;  // of e^(logit - largest)
};

// Sums in 16 lanes of their own: a compiler may not reorder one float sum, but lanes it can keep side by side.
inline constexpr int64_t lanes = 16;

template <class T>
TFM_INLINE RowSums row_sums(const T* row, int64_t size) {
  float high[lanes];
  float sum[lanes] = {};
  for (float& each : high) each = -std::numeric_limits<float>::infinity();
  const int64_t whole = size - size % lanes;
  for (int64_t i = 0; i < whole; i += lanes) {
    for (int64_t j = 0; j < lanes; ++j) {
      const float x = widen(row[i + j]);
      high[j] = x > high[j] ? x : high[j];
      sum[j] += x;
    }
  }
  RowSums sums{high[0], 0, 0};
  for (int64_t j = 0; j < lanes; ++j) sums.largest = std::max(sums.largest, high[j]), sums.sum += sum[j];
  for (int64_t i = whole; i < size; ++i) sums.largest = std::max(sums.largest, widen(row[i])), sums.sum += widen(row[i]);
  float exps[lanes] = {};
  for (int64_t i = 0; i < whole; i += lanes) {
    for (int64_t j = 0; j < lanes; ++j) exps[j] += exp_of_negative(widen(row[i + j]) - sums.largest);
  }
  for (const float each : exps) sums.exp_sum += each;
  for (int64_t i = whole; i < size; ++i) sums.exp_sum += exp_of_negative(widen(row[i]) - sums.largest);
  return sums;
}

}  // namespace tfm

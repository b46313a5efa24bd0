// Computes the maximum and the sums of a row of logits, which all loss kernels need. Call row_sums
// only within simd_dispatch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "simd.h"
#include "vector_exp.h"

namespace tfm {

struct RowSums {
  float largest;  // largest logit
  float sum;      // sum of all logits
  float exp_sum;  // sum of e^(logit - largest)
};

template <class L, class T>
TFM_INLINE RowSums row_sums(const T* row, int64_t size) {
  const int64_t whole = size - size % max_lanes;
  constexpr int64_t registers = Accumulator<L>::registers;
  Accumulator<L> high(-std::numeric_limits<float>::infinity());
  Accumulator<L> sum(0);
  for (int64_t i = 0; i < whole; i += max_lanes) {
    for (int64_t r = 0; r < registers; ++r) {
      const auto logits = L::load(row + i + r * L::count);
      high.parts[r] = Max()(logits, high.parts[r]);
      sum.parts[r] += logits;
    }
  }
  RowSums sums{high.reduce(Max()), sum.reduce(Add()), 0};
  for (int64_t i = whole; i < size; ++i)
    sums.largest = std::max(sums.largest, widen(row[i])), sums.sum += widen(row[i]);
  Accumulator<L> exps(0);
  for (int64_t i = 0; i < whole; i += max_lanes) {
    for (int64_t r = 0; r < registers; ++r)
      exps.parts[r] += fast_exp_nonpositive(L::load(row + i + r * L::count) - sums.largest);
  }
  sums.exp_sum = exps.reduce(Add());
  for (int64_t i = whole; i < size; ++i)
    sums.exp_sum += fast_exp_nonpositive(widen(row[i]) - sums.largest);
  return sums;
}

}  // namespace tfm

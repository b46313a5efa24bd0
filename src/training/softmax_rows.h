// What kernels over rows of logits share: a row's sums. For use within with_lanes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "tfm/nn/ops/lanes.h"
#include "tfm/nn/ops/vector_exp.h"

namespace tfm {

struct RowSums {
  float largest;
  float sum;      // of the logits
  float exp_sum;  // of e^(logit - largest)
};

template <class L, class T>
TFM_INLINE RowSums row_sums(const T* row, int64_t size) {
  const int64_t whole = size - size % most_lanes;
  constexpr int64_t registers = Partial<L>::registers;
  Partial<L> high(-std::numeric_limits<float>::infinity());
  Partial<L> sum(0);
  for (int64_t i = 0; i < whole; i += most_lanes) {
    for (int64_t r = 0; r < registers; ++r) {
      const auto logits = L::load(row + i + r * L::count);
      high.parts[r] = Larger()(logits, high.parts[r]);
      sum.parts[r] += logits;
    }
  }
  RowSums sums{high.reduced(Larger()), sum.reduced(Sum()), 0};
  for (int64_t i = whole; i < size; ++i)
    sums.largest = std::max(sums.largest, widen(row[i])), sums.sum += widen(row[i]);
  Partial<L> exps(0);
  for (int64_t i = 0; i < whole; i += most_lanes) {
    for (int64_t r = 0; r < registers; ++r)
      exps.parts[r] += exp_of_negative(L::load(row + i + r * L::count) - sums.largest);
  }
  sums.exp_sum = exps.reduced(Sum());
  for (int64_t i = whole; i < size; ++i)
    sums.exp_sum += exp_of_negative(widen(row[i]) - sums.largest);
  return sums;
}

}  // namespace tfm

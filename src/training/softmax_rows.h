// What kernels over rows of logits share: a row's sums. To be inlined into functions with TFM_VECTOR_CLONES.
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

template <class T>
TFM_INLINE RowSums row_sums(const T* row, int64_t size) {
  const int64_t whole = size - size % lane_count;
  Lanes high = all_lanes(-std::numeric_limits<float>::infinity());
  Lanes sum = {};
  for (int64_t i = 0; i < whole; i += lane_count) {
    const Lanes logits = load(row + i);
    high = Larger()(logits, high);
    sum += logits;
  }
  RowSums sums{reduce(high, Larger()), reduce(sum, Sum()), 0};
  for (int64_t i = whole; i < size; ++i) sums.largest = std::max(sums.largest, widen(row[i])), sums.sum += widen(row[i]);
  Lanes exps = {};
  for (int64_t i = 0; i < whole; i += lane_count) exps += exp_of_negative(load(row + i) - sums.largest);
  sums.exp_sum = reduce(exps, Sum());
  for (int64_t i = whole; i < size; ++i) sums.exp_sum += exp_of_negative(widen(row[i]) - sums.largest);
  return sums;
}

}  // namespace tfm

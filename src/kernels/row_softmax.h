// Computes the softmax of one row of scores. Call row_softmax only within simd_dispatch.
#pragma once

#include <cstdint>
#include <limits>

#include "simd.h"
#include "vector_exp.h"

namespace tfm {

/// Replaces the first `seen` scores (at least one) by their softmax, and the others up to `padded`
/// by zeros. `padded` is a multiple of L::count.
template <class L>
TFM_INLINE void row_softmax(float* row, int64_t seen, int64_t padded) {
  // -inf changes neither the maximum nor the sum, because its exponential is 0
  for (int64_t i = seen; i < padded; ++i) row[i] = -std::numeric_limits<float>::infinity();
  auto high = L::load(row);
  for (int64_t i = L::count; i < padded; i += L::count) high = Max()(L::load(row + i), high);
  const float largest = reduce(high, Max());
  typename L::Floats sums = {};
  for (int64_t i = 0; i < padded; i += L::count) {
    const auto exps = fast_exp_nonpositive(L::load(row + i) - largest);
    L::store(exps, row + i);
    sums += exps;
  }
  const float scale = 1 / reduce(sums, Add());
  for (int64_t i = 0; i < padded; i += L::count) L::store(L::load(row + i) * scale, row + i);
}

}  // namespace tfm

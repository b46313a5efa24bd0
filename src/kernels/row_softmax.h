// Softmax of one row of scores, for use within simd_dispatch.
#pragma once

#include <cstdint>
#include <limits>

#include "simd.h"
#include "vector_exp.h"

namespace tfm {

/// The first `seen` (at least one) scores become probabilities, those up to `padded` (a multiple of
/// the lanes, L::count) zero.
template <class L>
TFM_INLINE void row_softmax(float* row, int64_t seen, int64_t padded) {
  // the maximum of none, and e^x is zero
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
  const float scale = 1 / reduce(sums, Sum());
  for (int64_t i = 0; i < padded; i += L::count) L::store(L::load(row + i) * scale, row + i);
}

}  // namespace tfm

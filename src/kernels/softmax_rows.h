// Computes the softmax of rows of scores. Call softmax_rows only within simd_dispatch.
#pragma once

#include <cstdint>
#include <limits>

#include "simd.h"
#include "vector_exp.h"

namespace tfm {

/// Replaces the first `seen` scores, at least one, of each of `rows` rows [padded] by their
/// softmax, times the factors [padded] if there are any, and the others by zeros. `padded` is a
/// multiple of L::count. The steps of the rows, each of which waits for the one before, overlap.
template <class L, int rows>
TFM_INLINE void softmax_rows(float* scores, int64_t seen, int64_t padded,
                             const float* factors = nullptr) {
  using Floats = L::Floats;
  // Scores that do not count become -inf in registers. If they were written one by one, the vector
  // load after them would have to wait for all of them.
  const auto load_seen = [&](int r, int64_t i) TFM_BODY {
    const auto limit = static_cast<int32_t>(seen - i);
    return L::indices() < limit ? L::load(scores + r * padded + i)
                                : L::broadcast(-std::numeric_limits<float>::infinity());
  };
  Floats high[rows];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) high[r] = load_seen(r, 0);
  for (int64_t i = L::count; i < padded; i += L::count) {
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) high[r] = Max()(load_seen(r, i), high[r]);
  }
  float largest[rows];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) largest[r] = reduce(high[r], Max());
  Floats sums[rows] = {};
  for (int64_t i = 0; i < padded; i += L::count) {
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      const auto exps = fast_exp_nonpositive(load_seen(r, i) - largest[r]);
      L::store(exps, scores + r * padded + i);
      sums[r] += exps;
    }
  }
  float scale[rows];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) scale[r] = 1 / reduce(sums[r], Add());
  for (int64_t i = 0; i < padded; i += L::count) {
    const auto factor = factors != nullptr ? L::load(factors + i) : L::broadcast(1);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      float* to = scores + r * padded + i;
      L::store(L::load(to) * scale[r] * factor, to);
    }
  }
}

}  // namespace tfm

// Softmax of one row of scores, for the loops of vector_clones.h.
#pragma once

#include <cstdint>
#include <limits>

#include "tfm/nn/ops/lanes.h"
#include "tfm/nn/ops/vector_exp.h"

namespace tfm {

/// The first `seen` (at least one) scores become probabilities, those up to `padded` (a multiple of the lanes) zero.
TFM_INLINE void row_softmax(float* row, int64_t seen, int64_t padded) {
  for (int64_t i = seen; i < padded; ++i) row[i] = -std::numeric_limits<float>::infinity();  // the maximum of none, and e^x is zero
  Lanes high = load(row);
  for (int64_t i = lane_count; i < padded; i += lane_count) high = Larger()(load(row + i), high);
  const float largest = reduce(high, Larger());
  Lanes sums = {};
  for (int64_t i = 0; i < padded; i += lane_count) {
    const Lanes exps = exp_of_negative(load(row + i) - largest);
    store(exps, row + i);
    sums += exps;
  }
  const float scale = 1 / reduce(sums, Sum());
  for (int64_t i = 0; i < padded; i += lane_count) store(load(row + i) * scale, row + i);
}

}  // namespace tfm

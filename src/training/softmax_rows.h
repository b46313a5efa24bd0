// What kernels over rows of logits share: a fast exponential and a row's sums. To be inlined into functions with TFM_VECTOR_CLONES.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "tfm/nn/ops/vector_clones.h"

namespace tfm {

/// e^x for x <= 0 to a few units in the last place (Cephes' method: 2^n times a polynomial over half a doubling); 0 below -80, so that no
/// subnormal number ever slows a product down.
TFM_INLINE float exp_of_negative(float x) {
  constexpr float rounder = 12582912.0F;  // 1.5 * 2^23: adding it leaves no room for a fraction
  const float n = (x * 1.44269504F + rounder) - rounder;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float y = 1.9875691500e-4F;
  y = y * r + 1.3981999507e-3F;
  y = y * r + 8.3334519073e-3F;
  y = y * r + 4.1665795894e-2F;
  y = y * r + 1.6666665459e-1F;
  y = y * r + 5.0000001201e-1F;
  y = y * r * r + r + 1.0F;
  const auto scale = std::bit_cast<float>(static_cast<int32_t>(static_cast<uint32_t>(static_cast<int32_t>(n) + 127) << 23));
  return x < -80.0F ? 0.0F : y * scale;
}

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

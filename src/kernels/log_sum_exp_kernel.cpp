#include "log_sum_exp_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "simd.h"
#include "vector_exp.h"

namespace tfm {
namespace {

constexpr float lowest = -std::numeric_limits<float>::infinity();

/// Returns e^x for x <= 0 with a relative error of about 1e-7, or 0 if x is below
/// smallest_exponent. Takes half the operations of fast_exp_nonpositive. The polynomial is the
/// minimax polynomial of degree 5 for a remainder of at most ln 2 / 2.
template <class Floats>
TFM_INLINE Floats exp_for_sum(const Floats& x) {
  using Integers = decltype(x < x);       // int32, with the same number of lanes
  constexpr float rounder = 12582912.0F;  // 1.5 * 2^23: adding this number rounds to an integer
  const Floats rounded = x * std::numbers::log2e_v<float> + rounder;
  const Floats r = x - (rounded - rounder) * std::numbers::ln2_v<float>;
  Floats y = r * 8.29761940985918e-3F + 4.191562905907631e-2F;
  y = y * r + 0.16667576134204865F;
  y = y * r + 0.4999889135360718F;
  y = y * r + 0.9999997019767761F;
  y = y * r + 1.0000001192092896F;
  // The lowest bits of `rounded` are the integer, which the shift makes the exponent of 2^n.
  constexpr int32_t one = 127 << 23;
  const Integers scale = (reinterpret_cast<Integers>(rounded) << 23) + one;
  return x < smallest_exponent ? Floats{} : y * reinterpret_cast<Floats>(scale);
}

/// Writes the highest logit of each block, and returns the highest of all. NaN is passed over.
template <class L>
TFM_INLINE float find_maxima(const float* logits, int64_t width, int64_t block,
                             float* block_maxima) {
  float highest = lowest;
  for (int64_t begin = 0; begin < width; begin += block) {
    const int64_t end = begin + block < width ? begin + block : width;
    const int64_t whole = begin + (end - begin) / max_lanes * max_lanes;
    Accumulator<L> maxima(lowest);
    for (int64_t i = begin; i < whole; i += max_lanes) {
      for (int64_t r = 0; r < Accumulator<L>::registers; ++r)
        maxima.parts[r] = Max()(L::load(logits + i + r * L::count), maxima.parts[r]);
    }
    float largest = maxima.reduce(Max());
    for (int64_t i = whole; i < end; ++i) largest = Max()(logits[i], largest);
    *block_maxima++ = largest;
    highest = Max()(largest, highest);
  }
  return highest;
}

/// NaN needs no test: its exponential is NaN, and so is that of +inf, because the maximum is +inf,
/// too, and their difference NaN.
template <class L>
TFM_INLINE float log_sum_exp(const float* logits, int64_t width, int64_t block,
                             float* block_maxima) {
  const float highest = find_maxima<L>(logits, width, block, block_maxima);
  const int64_t whole = width - width % max_lanes;
  Accumulator<L> sums(0);
  const auto add = [&](const float* from) TFM_BODY {
    for (int64_t r = 0; r < Accumulator<L>::registers; ++r)
      sums.parts[r] += exp_for_sum<typename L::Floats>(L::load(from + r * L::count) - highest);
  };
  for (int64_t i = 0; i < whole; i += max_lanes) add(logits + i);
  float last[max_lanes];
  std::fill(std::copy(logits + whole, logits + width, last), last + max_lanes, lowest);
  add(last);
  return highest + std::log(sums.reduce(Add()));
}

}  // namespace

float log_sum_exp_row(const float* logits, int64_t width, int64_t block, float* block_maxima) {
  return simd_dispatch([&](auto lanes) TFM_BODY {
    return log_sum_exp<decltype(lanes)>(logits, width, block, block_maxima);
  });
}

}  // namespace tfm

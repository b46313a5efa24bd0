#include "log_sum_exp_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simd.h"
#include "vector_exp.h"

namespace tfm {
namespace {

constexpr float lowest = -std::numeric_limits<float>::infinity();

/// Writes the highest logits of L::count blocks.
template <class L>
TFM_INLINE L::Floats find_maxima_together(const float* logits, int64_t block) {
  typename L::Floats maxima[L::count];
#pragma GCC unroll 16
  for (int64_t b = 0; b < L::count; ++b) {
    maxima[b] = L::broadcast(lowest);
    for (int64_t i = 0; i < block; i += L::count)
      maxima[b] = Max()(L::load(logits + b * block + i), maxima[b]);
  }
  return reduce_each<L>(maxima, Max());
}

/// Writes the highest logit of each block, and returns the highest of all. NaN is passed over.
template <class L>
TFM_INLINE float find_maxima(const float* logits, int64_t width, int64_t block,
                             float* block_maxima) {
  auto highest = L::broadcast(lowest);
  int64_t begin = 0;
  for (; begin + L::count * block <= width; begin += L::count * block) {
    const auto maxima = find_maxima_together<L>(logits + begin, block);
    L::store(maxima, block_maxima);
    block_maxima += L::count;
    highest = Max()(maxima, highest);
  }
  float result = reduce(highest, Max());
  for (; begin < width; begin += block) {
    float largest = lowest;
    for (int64_t i = begin; i < std::min(begin + block, width); ++i)
      largest = Max()(logits[i], largest);
    *block_maxima++ = largest;
    result = Max()(largest, result);
  }
  return result;
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

template <class L>
TFM_INLINE float maxima_and_faults(const float* logits, int64_t width, int64_t block,
                                   float* block_maxima) {
  find_maxima<L>(logits, width, block, block_maxima);
  const int64_t whole = width - width % max_lanes;
  Accumulator<L> faults(0);  // NaN after a number that is NaN or +inf
  for (int64_t i = 0; i < whole; i += max_lanes) {
    for (int64_t r = 0; r < Accumulator<L>::registers; ++r)
      faults.parts[r] += Max()(L::broadcast(0), L::load(logits + i + r * L::count)) * 0.0F;
  }
  float fault = faults.reduce(Add());
  for (int64_t i = whole; i < width; ++i) fault += Max()(0.0F, logits[i]) * 0.0F;
  return fault;
}

}  // namespace

float log_sum_exp_row(const float* logits, int64_t width, int64_t block, float* block_maxima) {
  return simd_dispatch([&](auto lanes) TFM_BODY {
    return log_sum_exp<decltype(lanes)>(logits, width, block, block_maxima);
  });
}

float block_maxima_row(const float* logits, int64_t width, int64_t block, float* block_maxima) {
  return simd_dispatch([&](auto lanes) TFM_BODY {
    return maxima_and_faults<decltype(lanes)>(logits, width, block, block_maxima);
  });
}

}  // namespace tfm

#include "quantization.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "simd.h"
#include "vector_exp.h"

namespace tfm {
namespace {

constexpr int32_t magnitude_bits = 0x7fffffff;  // all but the sign
constexpr auto infinity_bits = std::bit_cast<int32_t>(std::numeric_limits<float>::infinity());

/// Returns the largest absolute value of each of `count` rows, or NaN if a number is not finite.
/// As integers, the bits of absolute values have the same order, with infinity and NaN at the end.
template <class L, int count, class T>
TFM_INLINE void find_largest(RowView<const T> x, int64_t width, float (&largest)[count]) {
  typename L::Integers highs[count] = {};
  const int64_t whole = width - width % L::count;
  for (int64_t i = 0; i < whole; i += L::count) {
#pragma GCC unroll 4
    for (int r = 0; r < count; ++r) {
      const auto bits = reinterpret_cast<L::Integers>(L::load(x.first + r * x.stride + i));
      highs[r] = Max()(bits & magnitude_bits, highs[r]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < count; ++r) {
    int32_t high = reduce(highs[r], Max());
    for (int64_t i = whole; i < width; ++i) {
      const float number = widen(x.first[r * x.stride + i]);
      high = Max()(std::bit_cast<int32_t>(number) & magnitude_bits, high);
    }
    largest[r] =
        high < infinity_bits ? std::bit_cast<float>(high) : std::numeric_limits<float>::quiet_NaN();
  }
}

/// Quantises `count` rows, so that their steps, each of which waits for the one before, overlap.
/// `to` begins with the first of these rows.
template <class L, int count, class T>
TFM_INLINE void quantize_together(RowView<const T> x, int64_t width, const QuantizedRows& to) {
  float factors[count];
  find_largest<L, count>(x, width, factors);
#pragma GCC unroll 4
  for (int r = 0; r < count; ++r) {
    constexpr float top = 127;
    // below this number, which is as good as 0, the factor would be infinite
    constexpr float smallest = top * std::numeric_limits<float>::min();
    const float largest = factors[r];
    factors[r] = largest > smallest ? top / largest : 0;  // 0 if NaN
    to.scales[r] = largest / top;
  }
  // Adding `rounder` rounds to an integer, which is the difference of the bits.
  constexpr auto rounder_bits = std::bit_cast<int32_t>(rounder);
  typename L::Integers sums[count] = {};
  // Local variables, because compilers would read `to` again after each byte that is written.
  int8_t* const values = to.values.first;
  const int64_t stride = to.values.stride;
  const int64_t whole = width - width % L::count;
  for (int64_t i = 0; i < whole; i += L::count) {
#pragma GCC unroll 4
    for (int r = 0; r < count; ++r) {
      const auto rounded = L::load(x.first + r * x.stride + i) * factors[r] + rounder;
      const auto integers = reinterpret_cast<L::Integers>(rounded) - rounder_bits;
      sums[r] += integers;
      L::store_low_bytes(integers, values + r * stride + i);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < count; ++r) {
    to.sums[r] = reduce(sums[r], Add());
    for (int64_t i = whole; i < width; ++i) {
      const float rounded = widen(x.first[r * x.stride + i]) * factors[r] + rounder;
      const int32_t integer = std::bit_cast<int32_t>(rounded) - rounder_bits;
      to.sums[r] += integer;
      values[r * stride + i] = static_cast<int8_t>(integer);
    }
    if (std::isnan(to.scales[r])) {
      to.sums[r] = 0;
      std::fill_n(values + r * stride, width, int8_t{0});
    }
  }
}

template <class L, int count, class T>
TFM_INLINE void quantize_in_groups(RowView<const T>& x, int64_t rows, int64_t width,
                                   QuantizedRows& to) {
  for (int64_t row = 0; row + count <= rows; row += count) {
    quantize_together<L, count>(x, width, to);
    x.first += count * x.stride;
    to.values.first += count * to.values.stride;
    to.scales += count;
    to.sums += count;
  }
}

template <class T>
void run(RowView<const T> x, int64_t rows, int64_t width, QuantizedRows to) {
  simd_dispatch([&](auto lanes) TFM_BODY {
    constexpr int together = 4;
    quantize_in_groups<decltype(lanes), together>(x, rows, width, to);
    quantize_in_groups<decltype(lanes), 1>(x, rows % together, width, to);
  });
}

}  // namespace

void quantize_rows(RowView<const float> x, int64_t rows, int64_t width, const QuantizedRows& to) {
  run(x, rows, width, to);
}
void quantize_rows(RowView<const Bf16> x, int64_t rows, int64_t width, const QuantizedRows& to) {
  run(x, rows, width, to);
}

float largest_magnitude(const float* x, int64_t width) {
  return simd_dispatch([&](auto lanes) TFM_BODY {
    float largest[1];
    find_largest<decltype(lanes), 1>(RowView<const float>{x, width}, width, largest);
    return largest[0];
  });
}

}  // namespace tfm

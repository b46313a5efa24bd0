#include "quantization.h"

#include "simd.h"

namespace tfm {
namespace {

template <class L, class T>
TFM_INLINE float round_to_int8(const T* x, int64_t width, int8_t* to) {
  typename L::Floats largest = {};
  typename L::Floats fault = {};  // per lane: 0, or NaN after a number that is not finite
  const int64_t whole = width - width % L::count;
  const auto magnitude = [](float number) { return number < 0 ? -number : number; };
  for (int64_t i = 0; i < whole; i += L::count) {
    const auto numbers = L::load(x + i);
    largest = Max()(numbers < 0 ? -numbers : numbers, largest);
    fault += numbers * 0.0F;
  }
  float high = reduce(largest, Max());
  float any_fault = reduce(fault, Add());
  for (int64_t i = whole; i < width; ++i) {
    const float size = magnitude(widen(x[i]));
    high = size > high ? size : high;
    any_fault += size * 0;
  }
  if (any_fault != 0) {
    for (int64_t i = 0; i < width; ++i) to[i] = 0;
    return any_fault;
  }
  constexpr float rounder = 12582912.0F;  // 1.5 * 2^23: adding this number rounds to an integer
  constexpr float top = 127;
  const float factor = high > 0 ? top / high : 0;
  for (int64_t i = 0; i < width; ++i)
    to[i] = static_cast<int8_t>(static_cast<int32_t>((widen(x[i]) * factor + rounder) - rounder));
  return high / top;
}

template <class T>
float run(const T* x, int64_t width, int8_t* to) {
  return simd_dispatch([&](auto lanes)
                           TFM_BODY { return round_to_int8<decltype(lanes)>(x, width, to); });
}

}  // namespace

float quantize_row(const float* x, int64_t width, int8_t* to) { return run(x, width, to); }
float quantize_row(const Bf16* x, int64_t width, int8_t* to) { return run(x, width, to); }
int32_t sum_row(const int8_t* row, int64_t width) {
  return simd_dispatch([&](auto) TFM_BODY {
    int32_t sum = 0;
    for (int64_t i = 0; i < width; ++i) sum += row[i];
    return sum;
  });
}

}  // namespace tfm

// Computes e^x in kernels, for one number or for a vector (simd.h).
#pragma once

#include <bit>
#include <cstdint>
#include <numbers>

#include "simd.h"

namespace tfm {

/// The parts of e^x = mantissa * 2^exponent, for one number or for a vector.
template <class Number>
struct ExpParts {
  Number mantissa;
  Number exponent;  // an integer
};

/// Splits e^x by Cephes' method. The exponent is the integer nearest to x / ln 2. The mantissa is a
/// polynomial in the remainder, whose absolute value is at most ln 2 / 2.
template <class Number>
TFM_INLINE ExpParts<Number> exp_parts(const Number& x) {
  constexpr float rounder = 12582912.0F;  // 1.5 * 2^23: adding this number rounds to an integer
  const Number n = (x * std::numbers::log2e_v<float> + rounder) - rounder;
  const Number r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  Number y = r * 1.9875691500e-4F + 1.3981999507e-3F;
  y = y * r + 8.3334519073e-3F;
  y = y * r + 4.1665795894e-2F;
  y = y * r + 1.6666665459e-1F;
  y = y * r + 5.0000001201e-1F;
  return {y * r * r + r + 1.0F, n};
}

/// The smallest x for which fast_exp_nonpositive does not return 0. Smaller results could lead to
/// subnormal numbers, which slow down multiplications.
constexpr float smallest_exponent = -80.0F;

/// Returns e^x for x <= 0, accurate to a few units in the last place, or 0 if x is below
/// smallest_exponent.
TFM_INLINE float fast_exp_nonpositive(float x) {
  const auto parts = exp_parts(x < smallest_exponent ? smallest_exponent : x);
  const auto scale = std::bit_cast<float>(static_cast<int32_t>(
      static_cast<uint32_t>(static_cast<int32_t>(parts.exponent) + 127) << 23));
  return x < smallest_exponent ? 0.0F : parts.mantissa * scale;
}

template <class Floats>
TFM_INLINE Floats fast_exp_nonpositive(const Floats& x) {
  using Integers = decltype(x < x);  // int32, with the same number of lanes
  const auto parts = exp_parts<Floats>(x < smallest_exponent ? Floats{} + smallest_exponent : x);
  const Integers scale = (__builtin_convertvector(parts.exponent, Integers) + 127) << 23;
  return x < smallest_exponent ? Floats{} : parts.mantissa * reinterpret_cast<Floats>(scale);
}

}  // namespace tfm

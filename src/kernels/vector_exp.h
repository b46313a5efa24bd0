// Computes e^x in kernels, for one number or for a vector (simd.h).
#pragma once

#include <bit>
#include <cstdint>
#include <numbers>

#include "simd.h"

namespace tfm {

/// 1.5 * 2^23. Adding this number rounds to an integer, which the lowest bits of the sum hold.
constexpr float rounder = 12582912.0F;

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

/// Returns e^x for x <= 0 with a relative error of about 1e-7, or 0 if x is below
/// smallest_exponent. Takes half the operations of fast_exp_nonpositive. The polynomial is the
/// minimax polynomial of degree 5 for a remainder of at most ln 2 / 2.
template <class Floats>
TFM_INLINE Floats exp_for_sum(const Floats& x) {
  // Unsigned, because the sum below overflows if x is below smallest_exponent.
  typedef uint32_t Integers __attribute__((vector_size(sizeof(Floats))));
  const Floats rounded = x * std::numbers::log2e_v<float> + rounder;
  const Floats r = x - (rounded - rounder) * std::numbers::ln2_v<float>;
  Floats y = r * 8.29761940985918e-3F + 4.191562905907631e-2F;
  y = y * r + 0.16667576134204865F;
  y = y * r + 0.4999889135360718F;
  y = y * r + 0.9999997019767761F;
  y = y * r + 1.0000001192092896F;
  // The shift makes the integer the exponent of 2^n.
  constexpr uint32_t one = 127U << 23;
  const Integers scale = (reinterpret_cast<Integers>(rounded) << 23) + one;
  return x < smallest_exponent ? Floats{} : y * reinterpret_cast<Floats>(scale);
}

}  // namespace tfm

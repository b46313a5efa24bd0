// Conversions between fp32 and bf16 for kernels. A bf16 number is represented by its 16 bits, so a
// conversion is a few integer operations without a branch, and compilers can vectorise it.
#pragma once

#include <bit>
#include <cstdint>

/// Forces a function to be inlined into the loop that calls it, so that the function is compiled
/// for the same instruction set as the loop.
#define TFM_INLINE __attribute__((always_inline)) inline

namespace tfm {

using Bf16 = uint16_t;

TFM_INLINE float widen(float x) { return x; }
TFM_INLINE float widen(int8_t x) { return x; }
TFM_INLINE float widen(Bf16 x) { return std::bit_cast<float>(static_cast<uint32_t>(x) << 16); }

TFM_INLINE void narrow(float x, float& out) { out = x; }
/// Rounds to the nearest bf16 number, ties to even. Every NaN becomes the quiet NaN 0x7fc0.
TFM_INLINE void narrow(float x, Bf16& out) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const auto rounded = static_cast<Bf16>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
  out = x == x ? rounded : Bf16{0x7fc0};
}

}  // namespace tfm

// Numbers of plain loops, in fp32 or bf16. The latter are handled as their 16 bits, which such
// loops can widen and narrow without a branch.
#pragma once

#include <bit>
#include <cstdint>

/// Of a function that loops are made of: it becomes part of the loop, compiled for the same
/// instructions.
#define TFM_INLINE __attribute__((always_inline)) inline

namespace tfm {

using Bf16 = uint16_t;

TFM_INLINE float widen(float x) { return x; }
TFM_INLINE float widen(Bf16 x) { return std::bit_cast<float>(static_cast<uint32_t>(x) << 16); }

TFM_INLINE void narrow(float x, float& out) { out = x; }
/// To the nearest, ties to even; any NaN to the quiet one.
TFM_INLINE void narrow(float x, Bf16& out) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const auto rounded = static_cast<Bf16>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
  out = x == x ? rounded : Bf16{0x7fc0};
}

}  // namespace tfm

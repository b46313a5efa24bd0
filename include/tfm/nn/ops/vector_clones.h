// Plain loops that run 8 or 16 lanes wide. TFM_VECTOR_CLONES before a function: it is compiled for each instruction set, and the loader takes the
// best that the machine has. What it calls must be inlined into it (TFM_INLINE). bf16 numbers are handled as their 16 bits, which such loops can
// widen and narrow without a branch.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)  // the sanitizer's runtime is not up yet when the loader chooses among clones
#define TFM_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TFM_VECTOR_CLONES
#endif
#define TFM_INLINE __attribute__((always_inline)) inline

namespace tfm {

using Bf16Bits = uint16_t;

TFM_INLINE float widen(float x) { return x; }
TFM_INLINE float widen(Bf16Bits x) { return std::bit_cast<float>(static_cast<uint32_t>(x) << 16); }

TFM_INLINE void narrow(float x, float& out) { out = x; }
/// To the nearest, ties to even; any NaN to the quiet one.
TFM_INLINE void narrow(float x, Bf16Bits& out) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const auto rounded = static_cast<Bf16Bits>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
  out = x == x ? rounded : Bf16Bits{0x7fc0};
}

}  // namespace tfm

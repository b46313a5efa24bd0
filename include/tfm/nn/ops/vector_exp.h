// e^x for the loops of vector_clones.h.
#pragma once

#include <bit>
#include <cstdint>

#include "tfm/nn/ops/vector_clones.h"

namespace tfm {

/// e^x for x <= 0 to a few units in the last place (Cephes' method: 2^n times a polynomial over half a doubling); 0 below -80, so that no
/// subnormal number ever slows a product down.
TFM_INLINE float exp_of_negative(float x) {
  constexpr float rounder = 12582912.0F;  // 1.5 * 2^23: adding it leaves no room for a fraction
  constexpr float smallest = -80.0F;
  const float wanted = x;
  x = x < smallest ? smallest : x;
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
  return wanted < smallest ? 0.0F : y * scale;
}

}  // namespace tfm

// Rotates the queries and keys of one token by its position, the inner loop of rotary positions
// (tensor/rotary.h).
#pragma once

#include <cstdint>

#include "bf16.h"

namespace tfm {

/// The factors of one position for heads of Dh numbers: each pair (2i, 2i + 1) of x becomes x *
/// cosines + (x with the pair swapped) * sines.
struct Rotation {
  const float* cosines;  // [Dh]: the cosine of each pair's angle, twice
  const float* sines;    // [Dh]: minus the sine of each pair's angle, then the sine
  bool inverse;          // rotates by the negative angles
};

/// Rotates `heads` heads of `width` numbers each, x [heads * width], into y, which may be x.
void rotate_heads(const float* x, int64_t heads, int64_t width, const Rotation& rotation, float* y);
void rotate_heads(const Bf16* x, int64_t heads, int64_t width, const Rotation& rotation, Bf16* y);

}  // namespace tfm

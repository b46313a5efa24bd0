// Computes LayerNorm (Ba et al. 2016) of one row of a residual sum.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

struct NormAffine {
  const float* scale;  ///< gain [width], or nullptr for ones
  const float* shift;  ///< bias [width], or nullptr for zeros
  float epsilon;
};

/// Computes to = LayerNorm(x + y), or LayerNorm(x) if y is nullptr. All arrays are [width].
void add_layer_norm_row(const float* x, const float* y, int64_t width, NormAffine affine,
                        float* to);
void add_layer_norm_row(const float* x, const Bf16* y, int64_t width, NormAffine affine, float* to);

}  // namespace tfm

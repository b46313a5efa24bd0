// LayerNorm (Ba et al. 2016) of one row of a residual sum.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

struct NormAffine {
  const float* scale;  ///< [width], or nullptr for ones
  const float* shift;  ///< [width], or nullptr for zeros
  float epsilon;
};

/// to = LayerNorm(x + y); y: nullptr for zeros. All [width].
void add_layer_norm_row(const float* x, const float* y, int64_t width, NormAffine affine,
                        float* to);
void add_layer_norm_row(const float* x, const Bf16* y, int64_t width, NormAffine affine, float* to);

}  // namespace tfm

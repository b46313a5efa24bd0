// Computes LayerNorm (Ba et al. 2016) of the rows of a residual sum.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

struct NormAffine {
  const float* scale;  ///< gain [width], or nullptr for ones
  const float* shift;  ///< bias [width], or nullptr for zeros
  float epsilon;
};

/// The arguments of add_layer_norm_rows. All matrices are [rows, width], without gaps.
template <class Addend>
struct AddLayerNorm {
  const float* x;
  const Addend* y;  // or nullptr
  int64_t rows;
  int64_t width;
  NormAffine affine;
  float* to;
};

/// Computes to = LayerNorm(x + y), or LayerNorm(x) if y is nullptr.
void add_layer_norm_rows(const AddLayerNorm<float>& task);
void add_layer_norm_rows(const AddLayerNorm<Bf16>& task);

}  // namespace tfm

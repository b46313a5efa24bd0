// Mixed precision after Micikevicius et al. 2018: if a ForwardContext has WeightCasts, linear
// (linear.h) and everything that calls it multiply in bf16. Weights stay fp32 and are cast once
// per update. Norms, residual sums, softmax and the gradients of weights stay fp32. bf16 has the
// range of fp32, so the loss is not scaled.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/tensor/linear_part.h"

namespace tfm {

/// The bf16 copies of a network's weights, by slot. Each copy is made when it is first needed and
/// is never updated, so each optimizer update needs a new WeightCasts. Not thread-safe.
class WeightCasts {
 public:
  struct Cast {
    torch::Tensor weight;  ///< the weight of the part in bf16, without gradient
    torch::Tensor bias;    ///< the bias of the part in bf16, or undefined
  };

  /// Returns the copies of a part. The first call for a part makes them.
  const Cast& cast(const LinearPart& part);

 private:
  std::vector<Cast> casts_;  // by slot; a weight is undefined until it is cast
};

/// Returns the weight and bias of a part to multiply by: bf16 copies, or slices of the parameters
/// themselves if `casts` is nullptr.
WeightCasts::Cast cached_cast(WeightCasts* casts, const LinearPart& part);

/// Returns true if Precision::automatic means bf16 on this device for a model of this hidden size.
/// On a GPU, it always does. On a CPU, it does if the processor multiplies bf16 numbers in hardware
/// (CpuFeatures::bf16) and the hidden size is at least 128; smaller models gain nothing.
bool prefers_bf16(torch::Device device, int64_t hidden_size);

}  // namespace tfm

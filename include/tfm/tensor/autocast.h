// Mixed precision after Micikevicius et al. 2018: if a ForwardContext has WeightCasts, linear
// (linear.h) and what is built on it multiply in bf16. Weights stay fp32 and are cast once; norms,
// residual sums, softmax and gradients of weights stay fp32. bf16 has fp32's range, so the loss is
// not scaled.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/tensor/linear_part.h"

namespace tfm {

/// The bf16 copies of a network's weights, by slot, each made when a product first needs it. Make
/// new casts for each update: a weight that changes while they live is not cast again. For one
/// thread at a time.
class WeightCasts {
 public:
  struct Cast {
    torch::Tensor weight;  ///< bf16, without gradient: the rows of the part
    torch::Tensor bias;    ///< likewise, or undefined
  };

  const Cast& cast(const LinearPart& part);

 private:
  std::vector<Cast> casts_;  // by slot; a weight that was not cast yet is undefined
};

/// What products with a part are computed with: its bf16 copies if there are casts (not nullptr),
/// else the rows of the parameters themselves.
WeightCasts::Cast cached_cast(WeightCasts* casts, const LinearPart& part);

/// Whether Precision::automatic is bf16 on this device for a model of this width: on a GPU always,
/// on a CPU that multiplies bf16 in hardware from a width of 128 on. Products of narrower models
/// gain nothing.
bool prefers_bf16(torch::Device device, int64_t hidden_size);

}  // namespace tfm

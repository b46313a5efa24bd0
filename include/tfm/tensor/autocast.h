// Mixed precision after Micikevicius et al. 2018: if a ForwardContext has WeightCasts, linear
// (linear.h) and everything that calls it multiply in bf16, or on GPUs also in fp16. Weights stay
// fp32 and are cast once per update. Norms, residual sums, softmax and the gradients of weights
// stay fp32. bf16 has the range of fp32, so only fp16 needs a scaled loss (optim/loss_scale.h).
#pragma once

#include <torch/types.h>

#include <span>
#include <vector>

#include "tfm/tensor/linear_part.h"

namespace tfm {

/// The copies of a network's weights in bf16 or fp16, by slot. Each copy is made when it is first
/// needed and is never updated, so each optimizer update needs a new WeightCasts. Not thread-safe.
class WeightCasts {
 public:
  struct Cast {
    torch::Tensor weight;  ///< the weight of the part in the type, without gradient
    torch::Tensor bias;    ///< the bias of the part in the type, or undefined
  };

  explicit WeightCasts(torch::ScalarType type = torch::kBFloat16) : type_(type) {}

  /// Makes the copies of all parts of a network at once, in one operation on a GPU.
  void cast_all(std::span<const LinearPart> parts);

  /// Returns the copies of a part. The first call for a part makes them.
  const Cast& cast(const LinearPart& part);

 private:
  torch::ScalarType type_;
  std::vector<Cast> casts_;  // by slot; a weight is undefined until it is cast
};

/// Returns the weight and bias of a part to multiply by: copies, or slices of the parameters
/// themselves if `casts` is nullptr.
WeightCasts::Cast cached_cast(WeightCasts* casts, const LinearPart& part);

/// Returns the data type that Precision::automatic means on this device for a model of this hidden
/// size. On a GPU, it is bf16, or fp16 if the GPU has no bf16. On a CPU, it is bf16 if the
/// processor multiplies bf16 numbers in hardware (CpuFeatures::bf16) and the hidden size is at
/// least 128, otherwise fp32; smaller models gain nothing.
torch::ScalarType preferred_type(torch::Device device, int64_t hidden_size);

}  // namespace tfm

// Normalisation over the hidden dimension. ModelConfig.norm selects LayerNorm (Ba et al. 2016),
// RMSNorm (Zhang & Sennrich 2019), or deviation_norm: (x - mean) / (sample standard deviation +
// epsilon). norm_affine adds a learned gain and, except in RMSNorm and in models without biases, a
// learned bias.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "tfm/config/config.h"

namespace tfm {

class NormalizationImpl : public torch::nn::Module {
 public:
  explicit NormalizationImpl(const ModelConfig& config);

  /// Normalises x [..., D] over its last dimension. Returns [..., D].
  torch::Tensor forward(const torch::Tensor& x);
  /// Returns forward(x + y). y has the shape of x.
  torch::Tensor add_and_norm(const torch::Tensor& x, const torch::Tensor& y);

 private:
  bool can_fuse(const torch::Tensor& x) const;

  Norm kind_;
  int64_t hidden_size_;
  double epsilon_;
  torch::Tensor scale_;  // gain [D], undefined without norm_affine
  torch::Tensor shift_;  // bias [D], undefined if not learned
};
TORCH_MODULE(Normalization);

}  // namespace tfm

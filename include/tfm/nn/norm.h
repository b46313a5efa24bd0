// Normalisation over the hidden dimension, by ModelConfig.norm: LayerNorm (Ba et al. 2016) RMSNorm
// (Zhang & Sennrich 2019), or deviation_norm: (x - mean) / (sample deviation + epsilon);
// norm_affine adds a learned scale and, for LayerNorm in a model with biases, a shift.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "tfm/config/config.h"

namespace tfm {

class NormalizationImpl : public torch::nn::Module {
 public:
  explicit NormalizationImpl(const ModelConfig& config);

  /// x [..., D] -> [..., D]
  torch::Tensor forward(const torch::Tensor& x);
  /// forward(x + y), y as x.
  torch::Tensor add_and_norm(const torch::Tensor& x, const torch::Tensor& y);

 private:
  bool can_fuse(const torch::Tensor& x) const;

  Norm kind_;
  int64_t hidden_size_;
  double epsilon_;
  torch::Tensor scale_;  // [D], undefined without norm_affine
  torch::Tensor shift_;  // [D], LayerNorm with biases only
};
TORCH_MODULE(Normalization);

}  // namespace tfm

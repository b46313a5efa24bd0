#include "tfm/nn/residual.h"

#include "tfm/tensor/dropout.h"

namespace tfm {

ResidualImpl::ResidualImpl(const ModelConfig& config)
    : order_(config.norm_order),
      dropout_(config.dropout),
      dropout_after_sum_(config.dropout_after_sum),
      norm_(register_module("norm", Normalization(config))) {}

torch::Tensor ResidualImpl::add(const torch::Tensor& x, const torch::Tensor& y) const {
  if (dropout_after_sum_) return stateless_dropout(x + y, dropout_, is_training());
  return dropout_add(x, y, dropout_, is_training());
}

}  // namespace tfm

#include "tfm/nn/residual.h"

#include "tfm/nn/ops/dropout.h"

namespace tfm {

ResidualImpl::ResidualImpl(const ModelConfig& config)
    : order_(config.norm_order),
      dropout_(config.dropout),
      dropout_after_sum_(config.dropout_after_sum),
      norm_(register_module("norm", Normalization(config))) {}

torch::Tensor ResidualImpl::add(const torch::Tensor& x, const torch::Tensor& y) const {
  if (dropout_after_sum_) return maskless_dropout(x + y, dropout_, is_training());
  return add_dropped(x, y, dropout_, is_training());
}

}  // namespace tfm

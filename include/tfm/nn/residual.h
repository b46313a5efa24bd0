// The wiring around every sublayer: residual connection, dropout and normalisation, in either order.
//   post (Vaswani et al. 2017, section 3.1):  y = norm(x + dropout(sublayer(x)))
//   pre  (Xiong et al. 2020):                 y = x + dropout(sublayer(norm(x)))
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "tfm/config/config.h"
#include "tfm/nn/norm.h"
#include "tfm/nn/ops/dropout.h"

namespace tfm {

class ResidualImpl : public torch::nn::Module {
 public:
  explicit ResidualImpl(const ModelConfig& config);

  /// x [B, T, D]; sublayer: a callable [B, T, D] -> [B, T, D].
  template <class Sublayer>
  torch::Tensor forward(const torch::Tensor& x, Sublayer&& sublayer) {
    if (order_ == NormOrder::pre) return x + maskless_dropout(sublayer(norm_(x)), dropout_, is_training());
    return norm_(x + maskless_dropout(sublayer(x), dropout_, is_training()));
  }

 private:
  NormOrder order_;
  double dropout_;
  Normalization norm_;
};
TORCH_MODULE(Residual);

}  // namespace tfm

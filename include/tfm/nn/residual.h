// The residual connection, dropout and normalisation around every sublayer, in one of four orders:
//   post (Vaswani et al. 2017, section 3.1):  y = norm(x + dropout(sublayer(x)))
//   post, dropout_after_sum:                  y = norm(dropout(x + sublayer(x)))
//   pre  (Xiong et al. 2020):                 y = x + dropout(sublayer(norm(x)))
//   pre, dropout_after_sum:                   y = dropout(x + sublayer(norm(x)))
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "tfm/config/config.h"
#include "tfm/nn/norm.h"

namespace tfm {

class ResidualImpl : public torch::nn::Module {
 public:
  explicit ResidualImpl(const ModelConfig& config);

  /// Applies the callable `sublayer` to x [..., D], with the residual connection, dropout and
  /// normalisation around it. `sublayer` receives and returns a tensor with the shape of x. The
  /// result has this shape, too.
  template <class Sublayer>
  torch::Tensor forward(const torch::Tensor& x, Sublayer&& sublayer) {
    if (order_ == NormOrder::pre) return add(x, sublayer(norm_(x)));
    return is_training() ? norm_(add(x, sublayer(x))) : norm_->add_and_norm(x, sublayer(x));
  }

 private:
  torch::Tensor add(const torch::Tensor& x, const torch::Tensor& y) const;

  NormOrder order_;
  double dropout_;
  bool dropout_after_sum_;
  Normalization norm_;
};
TORCH_MODULE(Residual);

}  // namespace tfm

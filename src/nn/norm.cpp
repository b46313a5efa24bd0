#include "tfm/nn/norm.h"

#include "tfm/tensor/add_layer_norm.h"

namespace tfm {

NormalizationImpl::NormalizationImpl(const ModelConfig& config)
    : kind_(config.norm), hidden_size_(config.hidden_size), epsilon_(config.norm_epsilon) {
  if (!config.norm_affine) return;
  scale_ = register_parameter("scale", torch::ones({hidden_size_}));
  if (kind_ != Norm::rms_norm && config.bias)
    shift_ = register_parameter("shift", torch::zeros({hidden_size_}));
}

/// Returns true if the fused kernel can compute the norm. The kernel is never used in training:
/// with gradient checkpointing, a layer runs first without and then with gradients, and both passes
/// must give the same result (gradient_checkpointing.h).
bool NormalizationImpl::can_fuse(const torch::Tensor& x) const {
  return kind_ == Norm::layer_norm && !is_training() && can_fuse_add_layer_norm(x);
}

torch::Tensor NormalizationImpl::add_and_norm(const torch::Tensor& x, const torch::Tensor& y) {
  return can_fuse(x) && x.sizes() == y.sizes() ? add_layer_norm(x, y, scale_, shift_, epsilon_)
                                               : forward(x + y);
}

torch::Tensor NormalizationImpl::forward(const torch::Tensor& x) {
  if (can_fuse(x)) return add_layer_norm(x, {}, scale_, shift_, epsilon_);
  if (kind_ == Norm::layer_norm)
    return torch::layer_norm(x, {hidden_size_}, scale_, shift_, epsilon_);
  torch::Tensor normalized;
  if (kind_ == Norm::deviation_norm) {
    const auto deviation = x.std(-1, /*unbiased=*/true, /*keepdim=*/true);
    normalized = (x - x.mean(-1, /*keepdim=*/true)) / (deviation + epsilon_);
  } else {
    normalized = x * torch::rsqrt(x.pow(2).mean(-1, /*keepdim=*/true) + epsilon_);
  }
  const auto scaled = scale_.defined() ? normalized * scale_ : normalized;
  return shift_.defined() ? scaled + shift_ : scaled;
}

}  // namespace tfm

#include "tfm/nn/norm.h"

#include "tfm/nn/ops/layer_norm.h"

namespace tfm {

NormalizationImpl::NormalizationImpl(const ModelConfig& config)
    : kind_(config.norm), hidden_size_(config.hidden_size), epsilon_(config.norm_epsilon) {
  if (!config.norm_affine) return;
  scale_ = register_parameter("scale", torch::ones({hidden_size_}));
  if (kind_ != Norm::rms_norm && config.bias)
    shift_ = register_parameter("shift", torch::zeros({hidden_size_}));
}

/// Not in training, even where no gradient is recorded: a layer that is computed again must give
/// what it gave (gradient_checkpointing.h).
bool NormalizationImpl::has_fused_form(const torch::Tensor& x) const {
  return kind_ == Norm::layer_norm && !is_training() && has_layer_norm_of_sum(x);
}

torch::Tensor NormalizationImpl::forward_sum(const torch::Tensor& x, const torch::Tensor& y) {
  return has_fused_form(x) && x.sizes() == y.sizes()
             ? layer_norm_of_sum(x, y, scale_, shift_, epsilon_)
             : forward(x + y);
}

torch::Tensor NormalizationImpl::forward(const torch::Tensor& x) {
  if (has_fused_form(x)) return layer_norm_of_sum(x, {}, scale_, shift_, epsilon_);
  if (kind_ == Norm::layer_norm)
    return torch::layer_norm(x, {hidden_size_}, scale_, shift_, epsilon_);
  torch::Tensor normalised;
  if (kind_ == Norm::deviation_norm) {
    const auto deviation = x.std(-1, /*unbiased=*/true, /*keepdim=*/true);
    normalised = (x - x.mean(-1, /*keepdim=*/true)) / (deviation + epsilon_);
  } else {
    normalised = x * torch::rsqrt(x.pow(2).mean(-1, /*keepdim=*/true) + epsilon_);
  }
  const auto scaled = scale_.defined() ? normalised * scale_ : normalised;
  return shift_.defined() ? scaled + shift_ : scaled;
}

}  // namespace tfm

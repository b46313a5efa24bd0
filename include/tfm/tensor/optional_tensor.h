// LibTorch's operators take a tensor that may be missing as std::optional; tfm's own functions take
// an undefined tensor.
#pragma once

#include <torch/types.h>

#include <optional>

namespace tfm {

inline std::optional<torch::Tensor> if_defined(const torch::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

}  // namespace tfm

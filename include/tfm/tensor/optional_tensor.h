// Converts an optional tensor argument: tfm passes an undefined tensor, whereas LibTorch's
// operators take a std::optional.
#pragma once

#include <torch/types.h>

#include <optional>

namespace tfm {

/// Returns the tensor, or nullopt if it is undefined.
inline std::optional<torch::Tensor> if_defined(const torch::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

}  // namespace tfm

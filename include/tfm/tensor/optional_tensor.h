// Converts an optional argument from tfm's form, an undefined tensor, to the form of LibTorch's
// operators, a std::optional.
#pragma once

#include <torch/types.h>

#include <optional>

namespace tfm {

inline std::optional<torch::Tensor> if_defined(const torch::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

}  // namespace tfm

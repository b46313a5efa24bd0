// Numbers the matrices that a network multiplies by. On construction, a module adds each of its
// matrices to the LinearParts of the network and keeps the LinearPart that it receives. Slots count
// from 0 in the order of construction, so two networks of the same config have the same slots. The
// copies of weights in a context (forward_context.h) are found by slot, never by the address of a
// tensor.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfm {

/// Some rows of a weight and of its bias. The tensors are the module's own parameters, so
/// load_state_dict, assign_parameters and an optimizer change them, too.
struct LinearPart {
  std::size_t slot = 0;
  torch::Tensor weight;    ///< [rows, in]
  torch::Tensor bias;      ///< [rows], or undefined
  std::int64_t begin = 0;  ///< first row of the part
  std::int64_t end = 0;    ///< row after the last row of the part; 0 means all rows of the weight

  /// Returns rows [begin, end) of the weight, or the whole weight if end is 0.
  torch::Tensor weight_rows() const { return slice_rows(weight); }
  /// Returns the same rows of the bias, or an undefined tensor if there is no bias.
  torch::Tensor bias_rows() const { return slice_rows(bias); }

 private:
  torch::Tensor slice_rows(const torch::Tensor& parameter) const {
    return parameter.defined() && end > 0 ? parameter.slice(0, begin, end) : parameter;
  }
};

/// Two neighbouring parts that cover a whole weight, with rows of their own.
struct SplitLinearParts {
  LinearPart first;
  LinearPart second;
};

/// Returns the parts with their rows in place of the whole weight and bias. The gradients of both
/// parts then reach the parameters at once. Otherwise each slice would receive a gradient of the
/// size of the whole parameter.
inline SplitLinearParts split_parts(const LinearPart& first, const LinearPart& second) {
  const auto split = [&](const torch::Tensor& parameter) {
    return parameter.defined() ? parameter.split_with_sizes({first.end, second.end - second.begin})
                               : std::vector<torch::Tensor>(2);
  };
  const auto weights = split(first.weight);
  const auto biases = split(first.bias);
  return {{first.slot, weights[0], biases[0]}, {second.slot, weights[1], biases[1]}};
}

class LinearParts {
 public:
  /// Adds a part under the next slot and returns it.
  LinearPart add(const torch::Tensor& weight, const torch::Tensor& bias, std::int64_t begin = 0,
                 std::int64_t end = 0) {
    LinearPart part{parts_.size(), weight, bias, begin, end};
    parts_.push_back(part);
    return part;
  }

  /// Returns all parts, ordered by slot.
  const std::vector<LinearPart>& all() const { return parts_; }

 private:
  std::vector<LinearPart> parts_;
};

}  // namespace tfm

// The products of a network with its weights, by number. A module that multiplies with a matrix
// adds the matrix to the network's LinearParts when the module is made, and keeps the LinearPart
// that it receives. The slot numbers count from 0 in the order of construction, so two networks of
// one config have the same numbers. Copies of weights that a context holds (forward_context.h) are
// addressed by slot, and never by a tensor's address.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfm {

/// Some rows of a weight and of its bias. The tensors are the module's own parameters: they share
/// what load_state_dict, assign_parameters and an optimizer do to them.
struct LinearPart {
  std::size_t slot = 0;
  torch::Tensor weight;    ///< [rows, in]
  torch::Tensor bias;      ///< [rows], or undefined
  std::int64_t begin = 0;  ///< the first of the part's rows
  std::int64_t end = 0;    ///< the row after the last one; 0: all rows

  torch::Tensor rows_of_weight() const { return rows_of(weight); }
  torch::Tensor rows_of_bias() const { return rows_of(bias); }

 private:
  torch::Tensor rows_of(const torch::Tensor& parameter) const {
    return parameter.defined() && end > 0 ? parameter.slice(0, begin, end) : parameter;
  }
};

class LinearParts {
 public:
  /// Gives the part the next slot number.
  LinearPart add(const torch::Tensor& weight, const torch::Tensor& bias, std::int64_t begin = 0,
                 std::int64_t end = 0) {
    LinearPart part{parts_.size(), weight, bias, begin, end};
    parts_.push_back(part);
    return part;
  }

  /// All parts; a part's index is its slot.
  const std::vector<LinearPart>& all() const { return parts_; }

 private:
  std::vector<LinearPart> parts_;
};

}  // namespace tfm

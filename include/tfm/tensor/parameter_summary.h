// How a model's parameters divide into its parts, for people: embeddings, encoder, decoder, output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/tensor/safetensors.h"

namespace tfm {

struct ParameterGroup {
  std::string name;        ///< the first part of the parameters' names: "encoder"
  std::int64_t count = 0;  ///< numbers
  std::int64_t tensors = 0;
};

/// The largest first.
std::vector<ParameterGroup> summarize_parameters(const StateDict& parameters);

/// A line a part and one for all of them: "  encoder            1,234,567   48.1%".
std::string format_parameter_summary(const std::vector<ParameterGroup>& parts);

}  // namespace tfm

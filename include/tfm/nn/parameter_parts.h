// How a model's parameters divide into its parts, for people: embeddings, encoder, decoder, output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/nn/safetensors.h"

namespace tfm {

struct ParameterPart {
  std::string name;        ///< the first part of the parameters' names: "encoder"
  std::int64_t count = 0;  ///< numbers
  std::int64_t tensors = 0;
};

/// The largest first.
std::vector<ParameterPart> parameter_parts(const NamedTensors& parameters);

/// A line a part and one for all of them: "  encoder            1,234,567   48.1%".
std::string describe_parts(const std::vector<ParameterPart>& parts);

}  // namespace tfm

// A readable summary of a model's parameters by group: embeddings, encoder, decoder, output. This
// header does not include LibTorch; state_dict.h declares the summary of weights in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tfm {

struct ParameterGroup {
  std::string name;        ///< first component of the parameter names, such as "encoder"
  std::int64_t count = 0;  ///< number of scalars
  std::int64_t tensors = 0;
};

/// Returns the groups of a weights file (safetensors), the largest first. Throws ModelError if the
/// file is missing or corrupt.
std::vector<ParameterGroup> summarize_parameters(const std::filesystem::path& weights);

/// Formats one line per group and one for the total, such as
///     "  encoder            1,234,567   48.1%"
std::string format_parameter_summary(const std::vector<ParameterGroup>& groups);

}  // namespace tfm

// How a model's parameters divide into its parts, for people: embeddings, encoder, decoder, output.
// A plain header; state_dict.h has the summary of weights in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tfm {

struct ParameterGroup {
  std::string name;        ///< the first part of the parameters' names: "encoder"
  std::int64_t count = 0;  ///< numbers
  std::int64_t tensors = 0;
};

/// The groups of a weights file (safetensors), the largest first. Throws ModelError if the file is
/// missing or damaged.
std::vector<ParameterGroup> summarize_parameters(const std::filesystem::path& weights);

/// One line per group and one for all of them: "  encoder            1,234,567   48.1%".
std::string format_parameter_summary(const std::vector<ParameterGroup>& groups);

}  // namespace tfm

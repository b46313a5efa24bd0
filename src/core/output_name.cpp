#include "tfm/core/output_name.h"

#include <algorithm>

#include "tfm/core/decoded_file.h"
#include "tfm/core/error.h"
#include "tfm/core/same_file.h"

namespace tfm {

void refuse_compressed_name(const std::filesystem::path& output) {
  if (without_compression_ending(output) != output)
    throw ConfigError(output.string(), "is a name for compressed text, and tfm writes plain text",
                      "Leave out the ending " + output.extension().string() + ".");
}

void refuse_to_replace(const std::vector<std::filesystem::path>& inputs,
                       const std::filesystem::path& output) {
  std::error_code none;
  // A terminal or /dev/null may be both.
  if (std::filesystem::exists(output, none) && !std::filesystem::is_regular_file(output, none))
    return;
  const auto is_output = [&](const auto& input) {
    return !input.empty() && is_same_file(input, output);
  };
  if (std::ranges::any_of(inputs, is_output))
    throw ConfigError(output.string(), "is read and would be replaced",
                      "Give another name with --output.");
}

void check_output_name(const std::filesystem::path& output,
                       const std::vector<std::filesystem::path>& inputs) {
  if (output.empty() || output == "-") return;
  refuse_compressed_name(output);
  refuse_to_replace(inputs, output);
}

}  // namespace tfm

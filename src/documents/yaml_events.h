// What yaml-cpp reads in a YAML file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// A scalar of a YAML file that is a value, not a key.
struct YamlScalar {
  std::size_t at = 0;    ///< of its properties (tag, anchor), if it has any, or of the scalar
  std::string value;     ///< valid UTF-8
  bool in_flow = false;  ///< true inside of [] or {}
};

/// Returns the items of sequences and the values of mappings whose tags say that they are text, or
/// that have no tag. `name` is the document's in errors. Throws DataError if the text is not YAML.
std::vector<YamlScalar> read_yaml_values(const std::string& name, std::string_view text);

}  // namespace tfm

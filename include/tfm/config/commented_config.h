// Writes a config file for users to edit: chosen fields, each with its explanation as a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {

struct CommentedField {
  const Field* field;
  std::string reason;     ///< the reason for the value, in full sentences; may be empty
  bool is_active = true;  ///< if false, the line is commented out
};

/// Returns YAML text, for parse_config, with the fields and their values in the config. It begins
/// with the comment `heading`. The comment above each field has the help text of the field table
/// and the reason. The fields of a section must be adjacent.
std::string write_commented_config(const Config& config, std::string_view heading,
                                   const std::vector<CommentedField>& entries);

}  // namespace tfm

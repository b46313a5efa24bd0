// A config file for a person to edit: chosen fields with their explanations as comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {

struct CommentedField {
  const Field* field;
  std::string reason;     ///< the reason for the value, in full sentences; may be empty
  bool is_active = true;  ///< false: the line is commented out, for the reader to fill in
};

/// Returns the YAML text of the fields with their values in the config, which parse_config reads
/// back. Each field follows a comment: its explanation from the field table and the reason. The
/// fields of a section must be adjacent.
std::string write_commented_config(const Config& config, std::string_view heading,
                                   const std::vector<CommentedField>& entries);

}  // namespace tfm

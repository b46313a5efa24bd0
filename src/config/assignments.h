// The result of parsing a config file and overrides, before any field is set: fields with their new
// values as text, and the errors.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {

struct Assignment {
  std::string where;  ///< "a.yaml:3" or "command line"
  const Field* field = nullptr;
  std::string value;
};

/// Assignments in the order in which they take effect, and all errors found so far.
struct Assignments {
  std::vector<Assignment> list;
  std::vector<std::string> errors;
  /// Keys whose values were given but could not be read. Rules about them cannot be checked.
  std::set<std::string> unknown_values;

  void add_error(std::string_view where, std::string_view what);
  /// Reports an unknown key together with the key that it has in other toolkits, or with the most
  /// similar one.
  void add_unknown_key(std::string_view where, std::string_view key);
  /// Returns the meaning of an unknown name in other toolkits, or else suggests the nearest name.
  /// Rules about the suggested keys are not checked.
  std::string suggest(std::string_view unknown, const std::string& nearest,
                      std::string_view otherwise);
};

/// Adds the assignments of a YAML text. `name` is its file in errors. Throws ConfigError (file,
/// line) if the text is not valid YAML.
void add_yaml(std::string_view yaml, std::string_view name, Assignments& assignments);

/// Adds an override of the form "section.key=value".
void add_override(std::string_view override_text, Assignments& assignments);

}  // namespace tfm

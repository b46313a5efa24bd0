// Parses a config file and overrides into assignments, before any field of a Config is set. An
// assignment is a field with its new value as text. Errors are collected and reported together.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/fields.h"

namespace tfm {

/// Where an assignment or an error stands.
struct Place {
  static constexpr std::int64_t no_line = INT64_MAX;  ///< sorted last

  std::string name;             ///< of the file, or "command line"
  std::int64_t line = no_line;  ///< counted from 1

  /// Returns "a.yaml:3" or "command line".
  std::string text() const;
};

struct Assignment {
  Place where;
  const Field* field = nullptr;
  std::string value;
};

struct ConfigProblem {
  Place where;
  std::string what;
};

/// Assignments in the order in which they take effect, and all errors found so far.
struct Assignments {
  std::vector<Assignment> list;
  std::vector<ConfigProblem> errors;
  /// Keys whose values were given but could not be read. Rules about them cannot be checked.
  std::set<std::string> unknown_values;

  void add_error(const Place& where, std::string_view what);
  /// Returns all errors, one per line, in the order of the lines of the file.
  std::string error_text() const;
  /// Adds an error for an unknown key. If other toolkits use this key, the error names tfm's field
  /// for it. Otherwise the error suggests the most similar key of tfm, if there is one.
  void add_unknown_key(const Place& where, std::string_view key);
  /// Returns a hint about an unknown name: its meaning in other toolkits, or else the suggestion
  /// `nearest`, or `otherwise` if `nearest` is empty. Marks the keys in the hint as unknown values,
  /// so that rules about them are not checked.
  std::string suggest(std::string_view unknown, const std::string& nearest,
                      std::string_view otherwise);
};

/// Adds the assignments of a YAML text. `name` is the file name for errors. Throws ConfigError,
/// with file and line, if the text is not valid YAML.
void add_yaml(std::string_view yaml, std::string_view name, Assignments& assignments);

/// Adds an override of the form "section.key=value".
void add_override(std::string_view override_text, Assignments& assignments);

}  // namespace tfm

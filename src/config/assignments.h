// What a config file and the command line ask for, before anything is set: fields with their new
// values as text, and whatever could not be understood.
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

/// Assignments in the order in which they take effect, and the faults found on the way.
struct Assignments {
  std::vector<Assignment> list;
  std::vector<std::string> faults;
  /// Keys whose value the user gave and which a fault keeps from being known: rules that name them
  /// can't be judged.
  std::set<std::string> unknown_values;

  void fault(std::string_view where, std::string_view what);
  /// Reports a key that is no field, with what was probably meant.
  void unknown_key(std::string_view where, std::string_view key);
};

/// Throws ConfigError (file, line) where the text is not YAML.
void add_yaml(std::string_view yaml, std::string_view name, Assignments& assignments);

/// override_text: "section.key=value".
void add_override(std::string_view override_text, Assignments& assignments);

}  // namespace tfm

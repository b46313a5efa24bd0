// The one table of config fields. Each entry ties a key ("training.learning_rate") to its member,
// its range or choices and its explanation; reading and writing YAML, `section.key=value` on the
// command line, `tfm config explain`, the JSON Schema and the "did you mean" of an error all walk
// this table and know no field by name. A new field is one member in config.h and one entry in
// src/config/fields_*.cpp (and, for a new choice, its names in choices.h).
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

enum class FieldType { integer, real, boolean, text, choice, list };

/// Closed interval of a number field.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct Field {
  std::string section;  ///< "training"
  std::string name;     ///< "learning_rate"
  FieldType type = FieldType::text;
  Range range;                       ///< numbers only
  std::vector<std::string> choices;  ///< choices only, in the enum's order
  /// whole numbers only: stands for 0, which is outside the range ("auto"); empty: there is none
  std::string word;
  std::string doc;  ///< what it does, its unit, its source
  /// The value as YAML would spell it, text without quotes: get(set(x)) is x, and numbers keep
  /// every digit. A list's entries are joined by "; ".
  std::function<std::string(const Config&)> get;
  /// Reads a value; returns what is wrong with it ("must be between 1 and 65536, not 0"), or
  /// nothing where it was taken.
  std::function<std::optional<std::string>(Config&, std::string_view)> set;

  std::string key() const { return section + "." + name; }
};

/// Every field, sections in the order of Config, names in the order of their struct.
const std::vector<Field>& fields();

/// The field of a key, with `-` and `_` alike; nullptr where there is none.
const Field* find_field(std::string_view key);

/// The key nearest to a misspelt one ("training.sead" -> "training.seed"; "seed" ->
/// "training.seed"), or empty where nothing is near.
std::string nearest_key(std::string_view key);

}  // namespace tfm

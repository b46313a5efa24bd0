// The one table of config fields. Each entry ties a key ("training.learning_rate") to its member,
// its range or choices, its effects and its explanation. Reading and writing YAML,
// `section.key=value` on the command line, `tfm config explain`, the JSON Schema, the "did you
// mean" of an error and the comparison of configs all walk this table and know no field by name. A
// new field is one member in config.h and one entry in src/config/fields_*.cpp (and, for a new
// choice, its names in choices.h).
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/config/effect.h"

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
  Effects effects;    ///< what changes with it
  std::string doc;    ///< what it does, its unit, its source
  std::string alias;  ///< a second name of its command-line option ("-b"); empty: there is none
  /// The value as YAML would spell it, text without quotes: get(set(x)) is x, and numbers keep
  /// every digit. A list's entries are joined by "; ".
  std::function<std::string(const Config&)> get;
  /// Reads a value; returns what is wrong with it ("must be between 1 and 65536, not 0"), or
  /// nothing where it was taken.
  std::function<std::optional<std::string>(Config&, std::string_view)> set;

  /// Its member in a config: what field_of() looks for.
  std::function<const void*(const Config&)> member;

  std::string key() const { return section + "." + name; }

  /// The same with a second name for its command-line option.
  Field with_alias(std::string option) && {
    alias = std::move(option);
    return std::move(*this);
  }
};

/// Every field, sections in the order of Config, names in the order of their struct.
const std::vector<Field>& fields();

/// The field of a key, with `-` and `_` alike; nullptr where there is none.
const Field* find_field(std::string_view key);

/// The field whose member in config has this address. Throws std::logic_error if there is none.
const Field& field_at(const Config& config, const void* member);

/// The field of a member, for code that needs a certain one:
/// field_of(&Config::training, &TrainingConfig::seed).
template <class Part, class Value>
const Field& field_of(Part Config::* part, Value Part::* member) {
  static const Config config;
  return field_at(config, &(config.*part.*member));
}

/// The key nearest to a misspelt one ("training.sead" -> "training.seed"; "seed" ->
/// "training.seed"), or empty where nothing is near.
std::string nearest_key(std::string_view key);

}  // namespace tfm

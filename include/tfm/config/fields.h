// The table of all config fields. Each entry connects a key ("training.learning_rate") with its
// member, its range or choices, its effects and its help text. The following features work on this
// table and, except for model.preset, have no code for individual fields: YAML, overrides on the
// command line, `tfm config explain`, the JSON Schema, suggestions for misspelt keys, and the
// comparison of configs.
//
// A new field needs one member in config.h and one entry in src/config/fields_*.cpp. A new choice
// needs a value of its enum in config.h and a name in choices.h. A renamed field or choice needs an
// entry in former_names.cpp.
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

/// The closed interval of the values that a number field accepts.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct Field {
  std::string section;  ///< "training"
  std::string name;     ///< "learning_rate"
  FieldType type = FieldType::text;
  Range range;                       ///< the allowed values of an integer or real field
  std::vector<std::string> choices;  ///< the values of a choice field, in the order of the enum
  /// A word such as "auto" that an integer field accepts in place of a number outside the range.
  /// Empty if the field accepts no such word.
  std::string keyword;
  Effects effects;
  std::string doc;    ///< the help text: what the field does, its unit, its source
  std::string alias;  ///< a second name of the command-line option ("-b"); may be empty
  /// Returns the value as YAML spells it, but text without quotes. Numbers keep every digit, and
  /// the entries of a list are joined by "; ". set() reads the result back as the same value.
  std::function<std::string(const Config&)> get;
  /// Parses and stores a value, and returns nullopt. If the value is not allowed, leaves the config
  /// unchanged and returns the problem ("must be between 1 and 65536, not 0").
  std::function<std::optional<std::string>(Config&, std::string_view)> set;

  /// Returns the address of the field's member in a config.
  std::function<const void*(const Config&)> member;

  std::string key() const { return section + "." + name; }

  /// Adds a second name for the command-line option of the field.
  Field with_alias(std::string option) && {
    alias = std::move(option);
    return std::move(*this);
  }
};

/// Returns all fields. The sections have the order of the members of Config, and the fields of a
/// section the order of the entries in src/config/fields_*.cpp.
const std::vector<Field>& fields();

/// Returns the field with this key, or nullptr if the key is unknown. `-` is read as `_`, and the
/// former key of a renamed field is accepted, too.
const Field* find_field(std::string_view key);

/// Returns the field whose member in `config` has this address. Throws std::logic_error for any
/// other address.
const Field& field_at(const Config& config, const void* member);

/// Returns the field of a member, for code that needs a certain field:
/// field_of(&Config::training, &TrainingConfig::seed).
template <class Part, class Value>
const Field& field_of(Part Config::* part, Value Part::* member) {
  static const Config config;
  return field_at(config, &(config.*part.*member));
}

/// Returns the key that is most similar to a misspelt one ("training.sead" -> "training.seed";
/// "seed" -> "training.seed"), or an empty text if no key is similar.
std::string nearest_key(std::string_view key);

}  // namespace tfm

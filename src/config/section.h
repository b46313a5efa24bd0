// Builds the entries of the field table. A Section connects names with the members of one section
// of Config, and derives from the type of a member how its value is read and written. Every entry
// states its effects (effect.h); {} means that it has none.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "former_names.h"
#include "tfm/config/choices.h"
#include "tfm/config/fields.h"
#include "values.h"

namespace tfm {

template <class Part>
class Section {
 public:
  constexpr Section(std::string_view name, Part Config::* part) : name_(name), part_(part) {}

  Field integer(std::string name, std::int64_t Part::* member, Range range, Effects effects,
                std::string doc) const {
    return number(std::move(name), member, range, effects, std::move(doc));
  }

  /// The allowed values: the numbers of a range, and a keyword that stands for a number outside it.
  struct RangeOrKeyword {
    Range range;
    std::string keyword;
    std::int64_t number;
  };

  /// Returns a field that takes a whole number or a keyword.
  Field integer_or_keyword(std::string name, std::int64_t Part::* member,
                           const RangeOrKeyword& allowed, Effects effects, std::string doc) const {
    Field field = integer(std::move(name), member, allowed.range, effects, std::move(doc));
    field.keyword = allowed.keyword;
    const auto at = this->at(member);
    field.get = [at, allowed](const Config& config) {
      return at(config) == allowed.number ? allowed.keyword : format_value(at(config));
    };
    field.set = [at, allowed](Config& config, std::string_view text) -> std::optional<std::string> {
      if (text != allowed.keyword)
        return read_value(text, allowed.range, at(config), allowed.keyword + " or ");
      at(config) = allowed.number;
      return std::nullopt;
    };
    return field;
  }

  Field real(std::string name, double Part::* member, Range range, Effects effects,
             std::string doc) const {
    return number(std::move(name), member, range, effects, std::move(doc));
  }

  Field boolean(std::string name, bool Part::* member, Effects effects, std::string doc) const {
    Field field = described(std::move(name), FieldType::boolean, member, effects, std::move(doc));
    const auto at = this->at(member);
    field.get = [at](const Config& config) { return format_value(at(config)); };
    field.set = [at](Config& config, std::string_view text) {
      return read_value(text, at(config));
    };
    return field;
  }

  Field text(std::string name, std::string Part::* member, Effects effects, std::string doc) const {
    Field field = described(std::move(name), FieldType::text, member, effects, std::move(doc));
    const auto at = this->at(member);
    field.get = [at](const Config& config) { return at(config); };
    field.set = [at](Config& config, std::string_view text) {
      at(config) = text;
      return std::optional<std::string>();
    };
    return field;
  }

  /// Returns a field that takes a list of texts without ';'. The value is a list in YAML; elsewhere
  /// it is one text, with the entries joined by "; ".
  Field list(std::string name, std::vector<std::string> Part::* member, Effects effects,
             std::string doc) const {
    Field field = described(std::move(name), FieldType::list, member, effects, std::move(doc));
    const auto at = this->at(member);
    field.get = [at](const Config& config) { return join_entries(at(config)); };
    field.set = [at](Config& config, std::string_view text) {
      at(config) = split_entries(text);
      return std::optional<std::string>();
    };
    return field;
  }

  template <class Enum>
  Field choice(std::string name, Enum Part::* member, Effects effects, std::string doc) const {
    static constexpr const auto& names = choice_names<Enum>;
    static_assert(!names.empty(), "choices.h must name the values of this enum");
    Field field = described(std::move(name), FieldType::choice, member, effects, std::move(doc));
    field.choices.assign(names.begin(), names.end());
    const auto at = this->at(member);
    field.get = [at](const Config& config) { return std::string(choice_name(at(config))); };
    field.set = [at, key = field.key(), choices = field.choices](
                    Config& config, std::string_view text) -> std::optional<std::string> {
      const auto found = std::find(names.begin(), names.end(), current_choice(key, text));
      if (found == names.end())
        return "must be " + join_choices(choices) + ", not '" + std::string(text) + "'";
      at(config) = static_cast<Enum>(found - names.begin());
      return std::nullopt;
    };
    return field;
  }

 private:
  /// Returns a function that takes a Config, const or not, and returns a reference to the member.
  template <class Value>
  auto at(Value Part::* member) const {
    return [part = part_, member](auto& config) -> auto& { return config.*part.*member; };
  }

  template <class Value>
  Field described(std::string name, FieldType type, Value Part::* member, Effects effects,
                  std::string doc) const {
    Field field;
    field.section = name_;
    field.name = std::move(name);
    field.type = type;
    field.effects = effects;
    field.doc = std::move(doc);
    field.member = [at = this->at(member)](const Config& config) -> const void* {
      return &at(config);
    };
    return field;
  }

  template <class Number>
  Field number(std::string name, Number Part::* member, Range range, Effects effects,
               std::string doc) const {
    constexpr auto type = std::is_integral_v<Number> ? FieldType::integer : FieldType::real;
    Field field = described(std::move(name), type, member, effects, std::move(doc));
    field.range = range;
    const auto at = this->at(member);
    field.get = [at](const Config& config) { return format_value(at(config)); };
    field.set = [at, range](Config& config, std::string_view text) {
      return read_value(text, range, at(config));
    };
    return field;
  }

  std::string_view name_;
  Part Config::* part_;
};

/// The effects of fields that define the network or the vocabulary. A resumed run cannot change
/// these fields.
inline constexpr Effects shape{Effect::shapes_model, Effect::fixed_in_run};

/// Returns the range [low, infinity).
inline Range at_least(double low) { return {.low = low}; }

// The parts of the table, one file per section.
std::vector<Field> model_fields();
std::vector<Field> tokenizer_fields();
std::vector<Field> data_fields();
std::vector<Field> training_fields();
std::vector<Field> decoding_fields();

}  // namespace tfm

#include <string>
#include <vector>

#include "nearest.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/config/reference.h"
#include "tfm/core/error.h"
#include "tfm/core/wrap.h"
#include "values.h"

namespace tfm {
namespace {

constexpr std::size_t line_width = 96;

std::string type_name(FieldType type) {
  switch (type) {
    case FieldType::integer:
      return "whole number";
    case FieldType::real:
      return "number";
    case FieldType::boolean:
      return "true or false";
    case FieldType::text:
      return "text";
    case FieldType::choice:
      return "one of";
    case FieldType::list:
      return "list of texts (separated by ';' on the command line)";
  }
  return "";
}

std::string explain_field(const Field& field) {
  const std::string value = default_value(field);
  const std::string facts =
      describe_values(field) + "; default: " + (value.empty() ? "empty" : value);
  return field.key() + "\n" + wrap_text(facts, line_width, "  ") +
         wrap_text(field.doc, line_width, "  ");
}

}  // namespace

std::string describe_values(const Field& field) {
  std::string values = type_name(field.type);
  if (field.type == FieldType::choice) values += " " + join_choices(field.choices);
  if (const std::string range = describe(field.range); !range.empty()) values += " " + range;
  if (!field.keyword.empty()) values += ", or " + field.keyword;
  return values;
}

std::string default_value(const Field& field) {
  static const Config defaults;
  return field.get(defaults);
}

std::string explain(std::string_view key) {
  if (const Field* field = find_field(key)) return explain_field(*field);
  std::string text;
  for (const Field& field : fields()) {
    if (field.section == key) text += (text.empty() ? "" : "\n") + explain_field(field);
  }
  if (!text.empty()) return text;
  const std::string nearest =
      key.find('.') == std::string_view::npos && !nearest_section(key).empty()
          ? nearest_section(key)
          : nearest_key(key);
  throw ConfigError("", "unknown key '" + std::string(key) + "'",
                    nearest.empty()
                        ? "The sections are model, tokenizer, data, training and decoding."
                        : "Did you mean '" + nearest + "'?");
}

}  // namespace tfm

#include <string>
#include <vector>

#include "nearest.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/error.h"
#include "values.h"

namespace tfm {
namespace {

constexpr std::size_t line_width = 96;

// Wraps text at spaces into indented lines of at most line_width columns.
std::string wrap(std::string_view text, std::string_view indent) {
  std::string lines;
  while (indent.size() + text.size() > line_width) {
    const auto space = text.rfind(' ', line_width - indent.size());
    if (space == std::string_view::npos) break;
    lines.append(indent).append(text.substr(0, space)).append("\n");
    text.remove_prefix(space + 1);
  }
  return lines.append(indent).append(text).append("\n");
}

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
  static const Config defaults;
  const std::string value = field.get(defaults);
  std::string facts = type_name(field.type);
  if (field.type == FieldType::choice) facts += " " + join_choices(field.choices);
  if (const std::string range = describe(field.range); !range.empty()) facts += " " + range;
  if (!field.keyword.empty()) facts += ", or " + field.keyword;
  facts += "; default: " + (value.empty() ? "empty" : value);
  return field.key() + "\n" + wrap(facts, "  ") + wrap(field.doc, "  ");
}

}  // namespace

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

#include <string>
#include <vector>

#include "nearest.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/config/other_names.h"
#include "tfm/config/reference.h"
#include "tfm/core/error.h"
#include "tfm/core/spelling.h"
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

/// Explains the fields whose name contains the word, and lists the other fields whose help text
/// contains it. Returns an empty text if there are no such fields.
std::string search_fields(const std::string& word) {
  std::string named;
  std::string mentioned;
  for (const Field& field : fields()) {
    if (field.name.find(normal_key(word)) != std::string::npos) {
      named += "\n" + explain_field(field);
    } else if (to_lower(field.doc).find(word) != std::string::npos) {
      mentioned += "  " + field.key() + "\n";
    }
  }
  if (!mentioned.empty())
    mentioned = "\nFields whose explanation contains '" + word + "':\n" + mentioned;
  return named + mentioned;
}

/// Explains a word that is not a key: the fields whose name or help text contains the word, and its
/// meaning in other toolkits. Returns an empty text if there is no such field and no such meaning.
std::string explain_word(std::string_view word) {
  const auto meanings = find_other_name(word);
  std::string text = word.empty() ? "" : search_fields(to_lower(word));
  if (text.empty()) {
    for (const OtherName& entry : meanings) text += "\n" + explain_field(*find_field(entry.key));
  }
  if (text.empty()) return "";
  const std::string other =
      meanings.empty() ? "" : wrap_text(describe_other_name(word) + ".", line_width, "");
  return "No key is named '" + std::string(word) + "'.\n" + other + text;
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
  if (text.empty()) text = explain_word(key);
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

#include <cmath>
#include <nlohmann/json.hpp>

#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "values.h"

namespace tfm {
namespace {

using nlohmann::ordered_json;

std::string json_type(FieldType type) {
  switch (type) {
    case FieldType::integer:
      return "integer";
    case FieldType::real:
      return "number";
    case FieldType::boolean:
      return "boolean";
    case FieldType::text:
    case FieldType::choice:
      return "string";
    case FieldType::list:
      return "array";
  }
  return "";
}

// Converts the text of a field's value to JSON. JSON spells numbers and booleans as YAML does.
ordered_json json_value(const Field& field, const std::string& value) {
  if (field.type == FieldType::list) return split_entries(value);
  const bool is_text = field.type == FieldType::text || field.type == FieldType::choice ||
                       (!field.keyword.empty() && value == field.keyword);
  return is_text ? ordered_json(value) : ordered_json::parse(value);
}

ordered_json bound(FieldType type, double value) {
  return type == FieldType::integer ? ordered_json(static_cast<std::int64_t>(value))
                                    : ordered_json(value);
}

ordered_json describe(const Field& field) {
  static const Config defaults;
  ordered_json schema = {{"type", json_type(field.type)},
                         {"description", field.doc},
                         {"default", json_value(field, field.get(defaults))}};
  if (!field.keyword.empty()) {
    schema["type"] = {"integer", "string"};
    schema["pattern"] = "^" + field.keyword + "$";
  }
  if (field.type == FieldType::list) schema["items"] = {{"type", "string"}};
  if (!field.choices.empty()) schema["enum"] = field.choices;
  if (std::isfinite(field.range.low)) schema["minimum"] = bound(field.type, field.range.low);
  if (std::isfinite(field.range.high)) schema["maximum"] = bound(field.type, field.range.high);
  return schema;
}

}  // namespace

std::string json_schema() {
  ordered_json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                         {"title", "tfm config"},
                         {"type", "object"},
                         {"additionalProperties", false},
                         {"properties", ordered_json::object()}};
  ordered_json& sections = schema["properties"];
  for (const Field& field : fields()) {
    if (!sections.contains(field.section)) {
      sections[field.section] = {{"type", nlohmann::json::array({"object", "null"})},
                                 {"additionalProperties", false}};
    }
    sections[field.section]["properties"][field.name] = describe(field);
  }
  return schema.dump(2) + "\n";
}

}  // namespace tfm

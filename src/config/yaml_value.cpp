#include "yaml_value.h"

#include "values.h"

namespace tfm {
namespace {

void emit_list(const Field& field, const Config& config, YAML::Emitter& out) {
  out << YAML::Flow << YAML::BeginSeq;
  for (const std::string& entry : split_entries(field.get(config)))
    out << YAML::DoubleQuoted << entry;
  out << YAML::EndSeq;
}

}  // namespace

void emit_value(const Field& field, const Config& config, YAML::Emitter& out) {
  if (field.type == FieldType::list) return emit_list(field, config, out);
  if (field.type == FieldType::text) out << YAML::DoubleQuoted;
  out << field.get(config);
}

}  // namespace tfm

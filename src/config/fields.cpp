#include "tfm/config/fields.h"

#include <algorithm>
#include <stdexcept>

#include "former_names.h"
#include "nearest.h"
#include "section.h"

namespace tfm {
namespace {

std::vector<Field> make_table() {
  std::vector<Field> table;
  for (auto& section :
       {model_fields(), tokenizer_fields(), data_fields(), training_fields(), decoding_fields()}) {
    table.insert(table.end(), section.begin(), section.end());
  }
  return table;
}

}  // namespace

const std::vector<Field>& fields() {
  static const std::vector<Field> table = make_table();
  return table;
}

const Field* find_field(std::string_view key) {
  const std::string normal = normal_key(key);
  const auto current = current_key(normal);
  const auto found = std::find_if(fields().begin(), fields().end(),
                                  [&](const Field& field) { return field.key() == current; });
  return found == fields().end() ? nullptr : &*found;
}

const Field& field_at(const Config& config, const void* member) {
  const auto found = std::find_if(fields().begin(), fields().end(), [&](const Field& field) {
    return field.member(config) == member;
  });
  if (found == fields().end()) throw std::logic_error("a member of Config is not in the table");
  return *found;
}

}  // namespace tfm

#include "tfm/config/commented_config.h"

#include "tfm/core/wrap.h"
#include "yaml_value.h"

namespace tfm {
namespace {

constexpr std::size_t comment_width = 100;

std::string yaml_value(const Field& field, const Config& config) {
  YAML::Emitter out;
  emit_value(field, config, out);
  return out.c_str();
}

std::string commented_entry(const CommentedField& entry, const Config& config) {
  std::string text = wrap_text(entry.field->doc, comment_width, "  # ");
  if (!entry.reason.empty()) text += wrap_text("Here: " + entry.reason, comment_width, "  # ");
  return text + (entry.is_active ? "  " : "  # ") + entry.field->name + ": " +
         yaml_value(*entry.field, config) + "\n";
}

}  // namespace

std::string write_commented_config(const Config& config, std::string_view heading,
                                   const std::vector<CommentedField>& entries) {
  std::string text = wrap_text(heading, comment_width, "# ");
  std::string section;
  for (const CommentedField& entry : entries) {
    text += entry.field->section == section ? "\n" : "\n" + entry.field->section + ":\n";
    section = entry.field->section;
    text += commented_entry(entry, config);
  }
  return text;
}

}  // namespace tfm

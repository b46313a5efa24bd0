#include "tfm/config/reference.h"

#include "tfm/core/markdown.h"

namespace tfm {
namespace {

constexpr const char* introduction =
    "# Configuration\n"
    "\n"
    "Every field of a config file, in the order of the file. `tfm config explain KEY` prints "
    "the same text for a field or a section, `tfm config check FILE` checks a file, and `tfm "
    "config init` writes a starting config. On the command line of `tfm train`, "
    "`section.key=value` overrides a field.\n"
    "\n"
    "This page is generated from the field table: `tfm config explain --format markdown > "
    "docs/configuration.md`.\n";

std::string field_entry(const Field& field) {
  const std::string value = default_value(field);
  return "\n### " + field.key() + "\n\n" + escape_markdown(describe_values(field)) +
         "; default: " + (value.empty() ? "empty" : "`" + value + "`") + "\n\n" +
         escape_markdown(field.doc) + "\n";
}

}  // namespace

std::string config_reference() {
  std::string page = introduction;
  std::string section;
  for (const Field& field : fields()) {
    if (field.section != section) page += "\n## " + field.section + "\n";
    section = field.section;
    page += field_entry(field);
  }
  return page;
}

}  // namespace tfm

#include <iostream>

#include "tfm/cli/commands.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"

namespace tfm {
namespace {

std::string explain_everything() {
  std::string text;
  std::string section;
  for (const auto& field : fields()) {
    if (field.section == section) continue;
    section = field.section;
    text += explain(section) + "\n";
  }
  return text;
}

}  // namespace

int config_command(const ConfigOptions& options) {
  switch (options.action) {
    case ConfigAction::check:
      std::cout << write_config(load_config(options.file, options.overrides));
      break;
    case ConfigAction::explain:
      std::cout << (options.key.empty() ? explain_everything() : explain(options.key));
      break;
    case ConfigAction::schema:
      std::cout << json_schema() << '\n';
      break;
  }
  std::cout << std::flush;
  return 0;
}

}  // namespace tfm

#include "tfm/cli/commands.h"
#include "tfm/cli/output.h"
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
  Output output;
  switch (options.action) {
    case ConfigAction::check:
      output.write(write_config(load_config(options.file, options.overrides)));
      break;
    case ConfigAction::explain:
      output.write(options.key.empty() ? explain_everything() : explain(options.key));
      break;
    case ConfigAction::schema:
      output.line(json_schema());
      break;
  }
  output.finish();
  return 0;
}

}  // namespace tfm

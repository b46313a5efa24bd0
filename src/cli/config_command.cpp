#include "config_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"

namespace tfm {
namespace {

const CommandGroup config_group{"config", "Checks and explains config files"};

constexpr const char* config_check_help = R"(Example: tfm config check my.yaml

Reports every fault of a config file; prints the resolved config where there is none)";

constexpr const char* config_explain_help = R"(Example: tfm config explain training.learning_rate

Explains a field, a section, or everything)";

void add_options(CLI::App& app, ConfigCheckOptions& options) {
  app.add_option("file", options.file, "Config file")->required()->type_name("FILE");
  app.add_option("overrides", options.overrides, "Fields to override")
      ->type_name("section.key=value");
}

void add_options(CLI::App& app, ConfigExplainOptions& options) {
  app.add_option("key", options.key, "section.key or section; none: everything")->type_name("KEY");
}

void add_options(CLI::App&, ConfigSchemaOptions&) {}

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

int print(const std::string& text) {
  Output output;
  output.write(text);
  output.finish();
  return 0;
}

}  // namespace

int run_config_check(const ConfigCheckOptions& options) {
  return print(write_config(load_config(options.file, options.overrides)));
}

int run_config_explain(const ConfigExplainOptions& options) {
  return print(options.key.empty() ? explain_everything() : explain(options.key));
}

int run_config_schema(const ConfigSchemaOptions&) { return print(json_schema() + "\n"); }

Command config_check_command(Run<ConfigCheckOptions> run) {
  return {.name = "check",
          .group = config_group,
          .summary = config_check_help,
          .prepare = with_options<ConfigCheckOptions>(add_options, std::move(run))};
}

Command config_explain_command(Run<ConfigExplainOptions> run) {
  return {.name = "explain",
          .group = config_group,
          .summary = config_explain_help,
          .prepare = with_options<ConfigExplainOptions>(add_options, std::move(run))};
}

Command config_schema_command(Run<ConfigSchemaOptions> run) {
  return {.name = "schema",
          .group = config_group,
          .summary = "Prints the JSON Schema of config files, for editors",
          .prepare = with_options<ConfigSchemaOptions>(add_options, std::move(run))};
}

}  // namespace tfm

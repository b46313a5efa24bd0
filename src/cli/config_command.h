// `tfm config check`, `explain` and `schema`: what a config file says and may say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.h"

namespace tfm {

struct ConfigCheckOptions {
  std::filesystem::path file;
  std::vector<std::string> overrides;  ///< "section.key=value"
};

int run_config_check(const ConfigCheckOptions& options);
Command config_check_command(Run<ConfigCheckOptions> run = run_config_check);

struct ConfigExplainOptions {
  std::string key;  ///< or a section; empty: everything
};

int run_config_explain(const ConfigExplainOptions& options);
Command config_explain_command(Run<ConfigExplainOptions> run = run_config_explain);

struct ConfigSchemaOptions {};

int run_config_schema(const ConfigSchemaOptions& options);
Command config_schema_command(Run<ConfigSchemaOptions> run = run_config_schema);

}  // namespace tfm

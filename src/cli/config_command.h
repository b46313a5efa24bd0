// `tfm config check`, `explain` and `schema`: commands about config files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

/// Returns the command group `tfm config`, which also contains `tfm config init`
/// (config_init_command.h).
CommandGroup config_group();

struct ConfigCheckOptions {
  std::filesystem::path file;
  std::vector<std::string> overrides;  ///< "section.key=value"
};

int run_config_check(const ConfigCheckOptions& options);
Command config_check_command(Run<ConfigCheckOptions> run = run_config_check);

enum class ExplainFormat { text, markdown };

struct ConfigExplainOptions {
  std::vector<std::string> keys;  ///< keys, sections or words to search for; empty for all fields
  ExplainFormat format = ExplainFormat::text;
};

int run_config_explain(const ConfigExplainOptions& options);
Command config_explain_command(Run<ConfigExplainOptions> run = run_config_explain);

struct ConfigSchemaOptions {};

int run_config_schema(const ConfigSchemaOptions& options);
Command config_schema_command(Run<ConfigSchemaOptions> run = run_config_schema);

}  // namespace tfm

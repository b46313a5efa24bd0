#include "config_import_command.h"

#include "common_options.h"
#include "config_command.h"
#include "output.h"
#include "tfm/config/opustrainer.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ConfigImportOptions& options) {
  app.add_option("FILE", options.file, "Config of OpusTrainer (YAML)")
      ->required()
      ->type_name("FILE");
  add_output_option(app, options.output, "Write the config to this file; without it, stdout");
  app.add_flag("--force", options.force, "Replace the output file if it exists")
      ->group(input_group);
}

}  // namespace

int run_config_import(const ConfigImportOptions& options) {
  if (!options.force && std::filesystem::exists(options.output)) {
    throw ConfigError("--output", options.output.string() + " exists",
                      "Give another file name, or replace the file with --force.");
  }
  const auto import = read_opustrainer(options.file);
  for (const std::string& warning : import.warnings) log_warn("{}", warning);
  Output output(options.output);
  output.write(write_opustrainer_import(import, options.file));
  output.finish();
  if (!options.output.empty() && options.output != "-")
    log_info("wrote {0}; next: tfm data preview {0}", options.output.string());
  return 0;
}

Command config_import_command(Run<ConfigImportOptions> run) {
  return {.name = "import",
          .group = config_group(),
          .section = "Train",
          .summary = "Writes a config from one of OpusTrainer",
          .details =
              "Datasets, stages, modifiers and the seed become data.sets, data.stages, "
              "data.modifiers and training.seed. What tfm has no field for is named in a warning, "
              "with its line.",
          .examples = {"tfm config import train_config.yml -o my.yaml",
                       "tfm config import train_config.yml | less"},
          .read_more = "docs/data.md",
          .prepare = with_options<ConfigImportOptions>(add_options, std::move(run))};
}

}  // namespace tfm

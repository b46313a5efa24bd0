#include "config_command.h"

#include "common_options.h"
#include "field_options.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/config/named_files.h"
#include "tfm/config/reference.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/data/corpus.h"
#include "tfm/data/text_overlap.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ConfigCheckOptions& options) {
  app.add_option("FILE", options.file, "Config file")->required()->type_name("FILE");
  add_overrides(app, options.overrides);
}

std::vector<std::string> sections() {
  std::vector<std::string> names;
  for (const auto& field : fields()) {
    if (names.empty() || names.back() != field.section) names.push_back(field.section);
  }
  return names;
}

std::vector<std::string> explained_keys() {
  std::vector<std::string> keys = sections();
  for (const auto& field : fields()) keys.push_back(field.key());
  return keys;
}

void add_options(CLI::App& app, ConfigExplainOptions& options) {
  app.add_option("key", options.keys,
                 "section.key, a section, or a word to search for; without it, all fields")
      ->type_name(value_type("KEY", explained_keys()));
  add_format_option<ExplainFormat>(
      app, options.format, {{"text", ExplainFormat::text}, {"markdown", ExplainFormat::markdown}},
      "text, or markdown: all fields as one Markdown page")
      ->default_str("text");
}

void add_options(CLI::App&, ConfigSchemaOptions&) {}

std::string explain_all(const std::vector<std::string>& keys) {
  std::string text;
  for (const auto& key : keys) text += (text.empty() ? "" : "\n") + explain(key);
  return text;
}

}  // namespace

CommandGroup config_group() { return {"config", "Writes, checks and explains config files"}; }

int run_config_check(const ConfigCheckOptions& options) {
  const Config config = load_config(options.file, options.overrides);
  const auto sets = training_sets(config.data);
  print_result(write_config(config));
  // Unlike training, this command accepts missing files: the data may be downloaded later or be on
  // another machine.
  for (const auto& problem : describe_unreadable(list_named_files(config))) log_warn("{}", problem);
  for (const TrainingSet& set : sets) {
    const auto shared = describe_shared_files(valid_files(config.data), set.files);
    if (!shared.empty()) log_warn("{}", shared);
  }
  return 0;
}

int run_config_explain(const ConfigExplainOptions& options) {
  if (options.format == ExplainFormat::markdown) {
    if (!options.keys.empty()) {
      throw ConfigError("--format", "markdown is the page of all fields",
                        "Leave out the key, or leave out --format.");
    }
    print_result(config_reference());
  } else {
    print_result(explain_all(options.keys.empty() ? sections() : options.keys));
  }
  return 0;
}

int run_config_schema(const ConfigSchemaOptions&) {
  print_result(json_schema() + "\n");
  return 0;
}

Command config_check_command(Run<ConfigCheckOptions> run) {
  return {.name = "check",
          .group = config_group(),
          .section = "Train",
          .summary = "Checks a config file and prints it with all defaults",
          .details = "All errors are reported at once, with file, line and the nearest known key.",
          .examples = {"tfm config check my.yaml", "tfm config check my.yaml model.heads=4"},
          .read_more = "docs/configuration.md",
          .prepare = with_options<ConfigCheckOptions>(add_options, std::move(run)),
          .advise_on_option = advise_override};
}

Command config_explain_command(Run<ConfigExplainOptions> run) {
  return {
      .name = "explain",
      .group = config_group(),
      .section = "Train",
      .summary = "Explains config fields or sections, or searches for a word",
      .details =
          "A word that is not a key is searched in the names and explanations. Names of Marian, "
          "Eole, OpenNMT-py, fairseq, Sockeye and Joey NMT are understood.",
      .examples = {"tfm config explain training.learning_rate decoding",
                   "tfm config explain warmup"},
      .read_more = "docs/configuration.md",
      .prepare = with_options<ConfigExplainOptions>(add_options, std::move(run))};
}

Command config_schema_command(Run<ConfigSchemaOptions> run) {
  return {.name = "schema",
          .group = config_group(),
          .section = "Train",
          .summary = "Prints the JSON Schema of config files, for editors",
          .details = "Editors that support JSON Schema complete and check config files with it.",
          .examples = {"tfm config schema", "tfm config schema > config.schema.json"},
          .read_more = "docs/configuration.md",
          .prepare = with_options<ConfigSchemaOptions>(add_options, std::move(run))};
}

}  // namespace tfm

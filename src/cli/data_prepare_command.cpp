#include "data_prepare_command.h"

#include <fmt/format.h>

#include "common_options.h"
#include "field_options.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/core/format.h"
#include "tfm/core/interrupt.h"
#include "tfm/training/prepare_data.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, DataPrepareOptions& options) {
  app.add_option("-c,--config,config_file", options.config, "Config file (YAML) of the run")
      ->required()
      ->type_name("FILE");
  add_overrides(app, options.overrides);
  add_field_option(app, field_of(&Config::training, &TrainingConfig::threads), "--threads",
                   "Config fields", options.overrides);
}

}  // namespace

int run_data_prepare(const DataPrepareOptions& options) {
  install_signal_handlers();
  const auto prepared = prepare_data(load_config(options.config, options.overrides));
  if (prepared.folder.empty()) {
    print_result("nothing to prepare: the run keeps its training data in memory (data.cache)\n");
    return 0;
  }
  print_result(fmt::format("{} pairs, {} source and {} target tokens, in {}\n",
                           group_digits(prepared.pairs), group_digits(prepared.source_tokens),
                           group_digits(prepared.target_tokens), prepared.folder.string()));
  return 0;
}

Command data_prepare_command(Run<DataPrepareOptions> run) {
  return {
      .name = "prepare",
      .group = {"data", "Prepares the text that models are trained on"},
      .section = "Train",
      .summary = "Encodes training data that is too large for memory",
      .details =
          "tfm train does the same when it starts. Learns the vocabulary and encodes the text "
          "into the folder data.cache. Ctrl-C ends it within a second, and the same command "
          "continues.",
      .examples = {"tfm data prepare my.yaml", "tfm data prepare my.yaml data.cache=/fast/disk"},
      .read_more = "docs/data.md",
      .prepare = with_options<DataPrepareOptions>(add_options, std::move(run)),
      .advise_on_option = advise_override};
}

}  // namespace tfm

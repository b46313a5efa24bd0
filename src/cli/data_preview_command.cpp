#include "data_preview_command.h"

#include <algorithm>

#include "common_options.h"
#include "field_options.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

std::vector<std::string> known_modifier_names() {
  std::vector<std::string> names;
  for (const ModifierInfo& info : known_modifiers) names.emplace_back(info.name);
  return names;
}

void add_options(CLI::App& app, DataPreviewOptions& options) {
  app.add_option("-c,--config,config_file", options.config, "Config file (YAML) of the run")
      ->required()
      ->type_name("FILE");
  add_overrides(app, options.overrides);
  app.add_option("--lines", options.request.pairs, "Show this number of pairs")
      ->check(whole_number(0, 1'000'000))
      ->type_name("N")
      ->capture_default_str()
      ->group(input_group);
  app.add_option("--epoch", options.request.epoch, "Show this epoch, from 1")
      ->check(whole_number(1, 1'000'000'000))
      ->type_name("N")
      ->capture_default_str()
      ->group(input_group);
  app.add_flag("--changed", options.request.only_changed,
               "Show only pairs that data.modifiers changed")
      ->group(input_group);
  app.add_option("--modifier", options.modifier, "Show only pairs that this modifier changed")
      ->check(one_of(known_modifier_names(), "modifier"))
      ->type_name(value_type("NAME", known_modifier_names()))
      ->group(input_group);
  app.add_flag("--tokens", options.tokens, "Show the tokens of each side")->group(input_group);
  add_report_format(app, options.format, "text, or json: one object, with the tokens")
      ->group(input_group);
}

}  // namespace

int run_data_preview(const DataPreviewOptions& options) {
  install_signal_handlers();
  const Config config = load_config(options.config, options.overrides);
  PreviewRequest request = options.request;
  if (!options.modifier.empty()) {
    const auto* info = std::ranges::find(known_modifiers, options.modifier, &ModifierInfo::name);
    request.only_by = info->modifier;
    if (!has_modifier(config.data, info->modifier))
      log_warn("data.modifiers does not contain {}, so it changes no pair", options.modifier);
  }
  const DataPreview preview = preview_data(config, request);
  print_result(options.format == ReportFormat::json ? preview_json(preview)
                                                    : preview_text(preview, options.tokens));
  return 0;
}

Command data_preview_command(Run<DataPreviewOptions> run) {
  return {
      .name = "preview",
      .group = {"data", "Prepares the text that models are trained on"},
      .section = "Train",
      .summary = "Shows what a run trains on, after all modifiers",
      .details =
          "Prints pairs in the order of training, with what data.modifiers made of them, and how "
          "many pairs of the epoch each modifier changed. Nothing is trained. The vocabulary is "
          "that of training.run_folder if a run has begun there; otherwise it is learnt first.",
      .examples = {"tfm data preview my.yaml --modifier typos --tokens",
                   "tfm data preview my.yaml \"data.modifiers=typos=0.5; copy=0.1\" --epoch 2"},
      .read_more = "docs/data.md",
      .prepare = with_options<DataPreviewOptions>(add_options, std::move(run)),
      .advise_on_option = advise_override};
}

}  // namespace tfm

#include "export_command.h"

#include "common_options.h"
#include "load.h"
#include "output.h"
#include "tfm/core/log.h"
#include "tfm/interop/ctranslate2.h"
#include "tfm/model/model.h"
#include "tfm/model/model_files.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ExportOptions& options) {
  add_format_option<ExportFormat>(app, options.format, {{"ctranslate2", ExportFormat::ctranslate2}},
                                  "The toolkit: ctranslate2")
      ->required()
      ->group(input_group);
  add_model_option(app, options.model);
  add_output_folder_option(app, options.output, "The folder to create");
}

}  // namespace

int run_export(const ExportOptions& options) {
  const auto folder = options.model.empty() ? default_model() : options.model;
  const auto model = Model::load(folder, "cpu");
  warn_if_training(folder);
  export_ctranslate2(model, options.output, folder);
  log_info(
      "CTranslate2 reads and writes subword tokens: encode text with the vocabulary files next to "
      "model.bin (docs/interop.md)");
  print_result(options.output.string() + "\n");
  return 0;
}

Command export_command(Run<ExportOptions> run) {
  return {.name = "export",
          .group = {},
          .section = "Models",
          .summary = "Exports a model for another toolkit",
          .details =
              "ctranslate2 writes a folder for CTranslate2's Translator, which reads and "
              "writes subword tokens, not text.",
          .examples = {"tfm export --format ctranslate2 -m runs/multi30k_de_en -o exported",
                       "tfm export --format ctranslate2 -o exported"},
          .read_more = "docs/interop.md",
          .prepare = with_options<ExportOptions>(add_options, std::move(run))};
}

}  // namespace tfm

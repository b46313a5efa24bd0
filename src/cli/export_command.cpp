#include "export_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/core/log.h"
#include "tfm/interop/ctranslate2.h"
#include "tfm/model/model.h"
#include "tfm/model/model_files.h"

namespace tfm {
namespace {

constexpr const char* export_help = R"(Example:
  tfm export --format ctranslate2 -m runs/multi30k_de_en -o exported

Writes a model as another toolkit reads it. ctranslate2: a folder for CTranslate2's Translator, )"
                                    R"(which takes and gives token pieces, not text.)";

void add_options(CLI::App& app, ExportOptions& options) {
  add_format_option<ExportFormat>(app, options.format, {{"ctranslate2", ExportFormat::ctranslate2}},
                                  "ctranslate2")
      ->required();
  add_model_option(app, options.model);
  add_output_folder_option(app, options.output, "The folder to make");
}

}  // namespace

int run_export(const ExportOptions& options) {
  const auto folder = options.model.empty() ? default_model() : options.model;
  export_ctranslate2(Model::load(folder, "cpu"), options.output, folder);
  log_info(
      "CTranslate2 takes and gives token pieces: encode with the vocabulary files beside model.bin "
      "(docs/interop.md)");
  Output output;
  output.line(options.output.string());
  output.finish();
  return 0;
}

Command export_command(Run<ExportOptions> run) {
  return {.name = "export",
          .group = {},
          .summary = export_help,
          .prepare = with_options<ExportOptions>(add_options, std::move(run))};
}

}  // namespace tfm

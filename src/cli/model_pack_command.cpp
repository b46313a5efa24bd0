#include "model_pack_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/model/model_files.h"
#include "tfm/model/model_packing.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ModelPackOptions& options) {
  app.add_option("FOLDER", options.folder, model_folder_help)->type_name("FOLDER");
}

}  // namespace

int run_model_pack(const ModelPackOptions& options) {
  const auto file = pack_model(options.folder.empty() ? default_model() : options.folder);
  print_result(file.string() + "\n");
  return 0;
}

Command model_pack_command(Run<ModelPackOptions> run) {
  return {
      .name = "pack",
      .group = {"model", "Describes and packs model folders"},
      .section = "Models",
      .summary = "Packs the weights for translation in int8",
      .details =
          "Writes int8.safetensors to the model folder. With --precision int8, translation then "
          "starts faster, and processes on the same machine share the memory of the weights. "
          "Translations stay the same. The file is for processors with the same kernels "
          "(tfm --version), and is ignored with a warning if the weights have changed.",
      .examples = {"tfm model pack", "tfm model pack runs/multi30k_de_en"},
      .read_more = "docs/translate.md",
      .prepare = with_options<ModelPackOptions>(add_options, std::move(run))};
}

}  // namespace tfm

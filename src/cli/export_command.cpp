#include "tfm/cli/commands.h"
#include "tfm/cli/output.h"
#include "tfm/interop/ctranslate2.h"

namespace tfm {

int export_command(const ExportOptions& options) {
  const auto folder = options.model.empty() ? default_model() : options.model;
  export_ctranslate2(load_model(folder, torch::kCPU), options.output, folder);
  spdlog::info(
      "CTranslate2 takes and gives token pieces: encode with the vocabulary files beside model.bin "
      "(docs/interop.md)");
  Output output;
  output.line(options.output.string());
  output.finish();
  return 0;
}

}  // namespace tfm

#include "tfm/cli/commands.h"
#include "tfm/cli/output.h"
#include "tfm/core/error.h"
#include "tfm/training/averaging.h"

namespace tfm {

int average_command(const AverageOptions& options) {
  const bool of_run = options.folders.size() == 1;
  if (!of_run && options.last + options.best > 0) {
    throw ConfigError("--last, --best",
                      "choose among one run's checkpoints, but several folders are named",
                      "Name one run folder, or leave them out.");
  }
  const auto chosen = of_run ? select_checkpoints(options.folders.front(),
                                                  {.last = options.last, .best = options.best})
                             : options.folders;
  for (const auto& folder : chosen) spdlog::info("averaging {}", folder.string());
  average_models(chosen, options.output);
  Output output;
  output.line(options.output.string());
  output.finish();
  return 0;
}

}  // namespace tfm

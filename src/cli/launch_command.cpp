#include <filesystem>

#include "tfm/cli/commands.h"
#include "tfm/core/error.h"
#include "tfm/distributed/launcher.h"

namespace tfm {

/// The ranks run the very file that this process runs.
int launch_command(const LaunchOptions& options) {
  if (options.command.empty() || options.command.front() != "train") {
    throw ConfigError("tfm launch", "only train runs as several processes",
                      "Example: tfm launch --nproc 2 train --config configs/demo.yaml");
  }
  LaunchRequest request;
  request.ranks = options.ranks;
  request.command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  request.command.insert(request.command.end(), options.command.begin(), options.command.end());
  return launch(request);
}

}  // namespace tfm

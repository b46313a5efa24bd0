#include "launch_command.h"

#include <filesystem>

#include "common_options.h"
#include "tfm/core/error.h"
#include "tfm/distributed/launcher.h"

namespace tfm {
namespace {

constexpr const char* launch_help = R"(Example:
  tfm launch --nproc 2 train --config configs/demo.yaml training.threads=1

Trains with N processes of this machine, each on its share of the batches (and on a GPU of its )"
                                    R"(own where there are GPUs).
One process that fails ends all. Several machines: torchrun or srun, see docs/scaling.md.)";

/// Everything behind the option is the command that each process runs.
void add_options(CLI::App& app, LaunchOptions& options) {
  app.fallthrough(false)->prefix_command();
  app.add_option("--nproc,--nproc-per-node", options.ranks, "Processes")
      ->required()
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
}

}  // namespace

/// The ranks run the very file that this process runs.
int run_launch(const LaunchOptions& options) {
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

Command launch_command(Run<LaunchOptions> run) {
  const auto prepare = [run](CLI::App& app) {
    auto options = std::make_shared<LaunchOptions>();
    add_options(app, *options);
    return [&app, options, run] {
      options->command = app.remaining();
      return run(*options);
    };
  };
  return {.name = "launch", .group = {}, .summary = launch_help, .prepare = prepare};
}

}  // namespace tfm

#include "launch_command.h"

#include <filesystem>
#include <utility>

#include "command_line.h"
#include "common_options.h"
#include "tfm/core/error.h"
#include "tfm/distributed/launcher.h"
#include "train_command.h"

namespace tfm {
namespace {

/// Adds --nproc. All arguments after the options of `tfm launch` form the command that each process
/// runs.
void add_options(CLI::App& app, LaunchOptions& options) {
  app.fallthrough(false)->prefix_command();
  app.add_option("--nproc,--nproc-per-node", options.ranks, "Number of processes")
      ->required()
      ->check(whole_number(1, 4096))
      ->type_name("N");
}

/// Parses the command in this process and, if there are several ranks, checks its config and the
/// files that it names. An error is then reported once and not by each rank. Returns false if the
/// command only prints its help.
bool check_command(const LaunchOptions& options) {
  bool trains = false;
  const auto check = [&](const TrainOptions& train) {
    trains = true;
    if (options.ranks > 1) check_launched_train(train, options.ranks);
    return 0;
  };
  run_inner_command_line(options.command, train_command(check));
  return trains;
}

}  // namespace

/// Starts the ranks. Each of them runs the same executable as this process.
int run_launch(const LaunchOptions& options) {
  if (options.command.empty() || options.command.front() != "train") {
    throw ConfigError("tfm launch", "only `train` can run as several processes",
                      "Example: tfm launch --nproc 2 train --config configs/demo.yaml "
                      "training.run_folder=runs/two");
  }
  if (!check_command(options)) return 0;
  LaunchRequest request;
  request.ranks = options.ranks;
  request.command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  request.command.insert(request.command.end(), options.command.begin(), options.command.end());
  return launch(request);
}

Command launch_command(Run<LaunchOptions> run) {
  const auto prepare = [run = std::move(run)](CLI::App& app) {
    auto options = std::make_shared<LaunchOptions>();
    add_options(app, *options);
    return [&app, options, run] {
      options->command = app.remaining();
      return run(*options);
    };
  };
  return {.name = "launch",
          .group = {},
          .section = "Train",
          .summary = "Trains with several processes of this machine",
          .details =
              "Each process trains on its share of the batches, and on its own GPU if there "
              "are GPUs. If one process fails, all are stopped. For several machines use "
              "torchrun or srun.",
          .examples = {"tfm launch --nproc 2 train --config my.yaml training.threads=1",
                       "tfm launch --nproc 2 train --config my.yaml --resume"},
          .read_more = "docs/scaling.md, `tfm train --help`",
          .prepare = prepare};
}

}  // namespace tfm

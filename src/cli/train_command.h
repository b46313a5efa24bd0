// `tfm train`: trains a model as a config file describes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

struct TrainOptions {
  std::filesystem::path config;        ///< config file; empty if only overrides are given
  std::vector<std::string> overrides;  ///< "section.key=value"; includes options such as --seed
  bool resume = false;
  std::filesystem::path resumed_folder;  ///< the folder given to --resume; empty if none is given
  bool dry_run = false;
  std::filesystem::path trace;  ///< file for the operations of an update; empty for none
};

/// Throws what every one of several ranks would throw: ConfigError if the config is wrong, or if
/// the options include --dry-run, which needs a single process; DataError if a file of the config
/// is missing, or can be read by one process only.
void check_launched_train(const TrainOptions& options, int ranks);
int run_train(const TrainOptions& options);
Command train_command(Run<TrainOptions> run = run_train);

}  // namespace tfm

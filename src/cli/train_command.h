// `tfm train`: trains a model as a config file says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.h"

namespace tfm {

struct TrainOptions {
  std::filesystem::path config;
  std::vector<std::string> overrides;  ///< "section.key=value", flags such as --seed included
  bool resume = false;
  bool dry_run = false;
};

int run_train(const TrainOptions& options);
Command train_command(Run<TrainOptions> run = run_train);

}  // namespace tfm

// `tfm launch`: starts several processes of this program that train one model.
#pragma once

#include <string>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

struct LaunchOptions {
  int ranks = 0;
  std::vector<std::string> command;  ///< "train" and its arguments
};

int run_launch(const LaunchOptions& options);
Command launch_command(Run<LaunchOptions> run = run_launch);

}  // namespace tfm

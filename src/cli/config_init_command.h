// `tfm config init`: writes a starting config for parallel text.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/data/starting_config.h"
#include "tfm/help/command.h"

namespace tfm {

struct ConfigInitOptions {
  StartingFiles files;           ///< missing files are asked for on a terminal
  std::string preset;            ///< empty: chosen by the amount of text
  std::filesystem::path output;  ///< empty: stdout
  bool force = false;            ///< replace an existing output file
};

int run_config_init(const ConfigInitOptions& options);
Command config_init_command(Run<ConfigInitOptions> run = run_config_init);

}  // namespace tfm

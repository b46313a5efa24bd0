// `tfm config init`: writes a starting config for parallel text.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/data/starting_config.h"
#include "tfm/help/command.h"

namespace tfm {

struct ConfigInitOptions {
  StartingFiles files;           ///< on a terminal, the user is asked for missing files
  double minutes = 0;            ///< how long training may take; 0 means by the number of updates
  std::string preset;            ///< model size; if empty, chosen by the amount of text
  std::filesystem::path output;  ///< the config file to write; if empty, stdout
  bool force = false;            ///< replace an existing output file
};

int run_config_init(const ConfigInitOptions& options);
Command config_init_command(Run<ConfigInitOptions> run = run_config_init);

}  // namespace tfm

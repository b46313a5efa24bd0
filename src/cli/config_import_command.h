// `tfm config import`: writes a config from one of OpusTrainer.
#pragma once

#include <filesystem>

#include "tfm/help/command.h"

namespace tfm {

struct ConfigImportOptions {
  std::filesystem::path file;
  std::filesystem::path output;  ///< the config file to write; if empty, stdout
  bool force = false;            ///< replace an existing output file
};

int run_config_import(const ConfigImportOptions& options);
Command config_import_command(Run<ConfigImportOptions> run = run_config_import);

}  // namespace tfm

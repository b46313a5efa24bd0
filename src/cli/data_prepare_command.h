// tfm data prepare: encodes training data that is too large for memory, ahead of a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

struct DataPrepareOptions {
  std::filesystem::path config;
  std::vector<std::string> overrides;  ///< "section.key=value"
};

int run_data_prepare(const DataPrepareOptions& options);

Command data_prepare_command(Run<DataPrepareOptions> run = run_data_prepare);

}  // namespace tfm

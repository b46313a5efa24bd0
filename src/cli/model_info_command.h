// `tfm model info`: describes a model folder.
#pragma once

#include <filesystem>

#include "tfm/help/command.h"

namespace tfm {

struct ModelInfoOptions {
  std::filesystem::path folder;  ///< if empty, the default model is described
  bool json = false;
};

int run_model_info(const ModelInfoOptions& options);
Command model_info_command(Run<ModelInfoOptions> run = run_model_info);

}  // namespace tfm

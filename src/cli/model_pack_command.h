// `tfm model pack`: packs the weights of a model for int8 translation.
#pragma once

#include <filesystem>

#include "tfm/help/command.h"

namespace tfm {

struct ModelPackOptions {
  std::filesystem::path folder;  ///< if empty, the default model is packed
};

int run_model_pack(const ModelPackOptions& options);
Command model_pack_command(Run<ModelPackOptions> run = run_model_pack);

}  // namespace tfm

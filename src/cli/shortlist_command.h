// `tfm shortlist`: learns the probable target tokens of each source token.
#pragma once

#include <filesystem>

#include "tfm/help/command.h"
#include "tfm/translate/shortlist.h"

namespace tfm {

struct ShortlistOptions {
  std::filesystem::path model;   ///< if empty, the default model
  std::filesystem::path source;  ///< if empty, the model's training data
  std::filesystem::path target;
  std::filesystem::path output;  ///< if empty, shortlist.safetensors in the model folder
  ShortlistLimits size;
};

int run_shortlist(const ShortlistOptions& options);
Command shortlist_command(Run<ShortlistOptions> run = run_shortlist);

}  // namespace tfm

// `tfm shortlist`: learns the probable target tokens of each source token.
#pragma once

#include <filesystem>

#include "tfm/help/command.h"
#include "tfm/translate/shortlist.h"

namespace tfm {

struct ShortlistOptions {
  std::filesystem::path model;   ///< if empty, the default model is used
  std::filesystem::path source;  ///< if empty, the model's training data is read
  std::filesystem::path target;
  std::filesystem::path output;  ///< if empty, the model folder's shortlist.safetensors
  ShortlistLimits size;
};

int run_shortlist(const ShortlistOptions& options);
Command shortlist_command(Run<ShortlistOptions> run = run_shortlist);

}  // namespace tfm

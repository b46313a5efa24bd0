// `tfm shortlist`: learns which target tokens may translate which source tokens.
#pragma once

#include <filesystem>

#include "tfm/help/command.h"
#include "tfm/translate/shortlist.h"

namespace tfm {

struct ShortlistOptions {
  std::filesystem::path model;   ///< empty: the default model
  std::filesystem::path source;  ///< empty: the model's training data
  std::filesystem::path target;
  std::filesystem::path output;  ///< empty: shortlist.safetensors in the model folder
  ShortlistLimits size;
};

int run_shortlist(const ShortlistOptions& options);
Command shortlist_command(Run<ShortlistOptions> run = run_shortlist);

}  // namespace tfm

// `tfm average`: the mean of models' weights.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "command.h"

namespace tfm {

struct AverageOptions {
  /// one run folder, or several model folders or checkpoints
  std::vector<std::filesystem::path> folders;
  std::filesystem::path output;  ///< the model folder to make
  std::int64_t last = 0;         ///< of the run's checkpoints, the newest so many
  std::int64_t best = 0;         ///< or those that scored best
};

int run_average(const AverageOptions& options);
Command average_command(Run<AverageOptions> run = run_average);

}  // namespace tfm

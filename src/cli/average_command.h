// `tfm average`: averages the weights of checkpoints or models.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

struct AverageOptions {
  /// one run folder, or model folders and checkpoints
  std::vector<std::filesystem::path> folders;
  std::filesystem::path output;  ///< the model folder to create
  std::int64_t last = 0;         ///< number of newest checkpoints to average; 0 without --last
  /// number of checkpoints with the best validation scores to average; 0 without --best
  std::int64_t best = 0;
};

int run_average(const AverageOptions& options);
Command average_command(Run<AverageOptions> run = run_average);

}  // namespace tfm

// Starts the ranks of a run on one machine, like torchrun but without Python: N copies of a program
// with the environment variables that rank_environment.h reads. Signals are forwarded to all ranks.
// If a rank fails, its number and exit status are logged. The other ranks then receive SIGTERM and,
// after a grace period, SIGKILL.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tfm {

struct LaunchRequest {
  int ranks = 1;
  /// the path of the program, and its arguments
  std::vector<std::string> command;
  /// the time between SIGTERM and SIGKILL
  std::chrono::milliseconds grace = std::chrono::seconds(5);
};

/// Waits until all ranks have ended. Returns 0 or the exit code of the first rank that failed,
/// which is 128 + N after signal N. Throws ConfigError if the program is not executable.
int launch(const LaunchRequest& request);

}  // namespace tfm

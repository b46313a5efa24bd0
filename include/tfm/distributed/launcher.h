// Starts the ranks of a run on one machine, like torchrun but without Python: N copies of a program
// with the environment variables that rank_environment.h reads. Signals are forwarded to all ranks.
// If a rank fails, its number and exit status are logged. The other ranks then receive SIGTERM and,
// after a grace period, SIGKILL. After exit code 130 (interrupted), nothing is logged and no
// SIGTERM is sent, because all ranks stop together. A rank that has only lost contact with another
// rank is not the cause of the failure, so it ends with lost_contact_code and without a message.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tfm {

/// The exit code of a rank that launch() started and that has lost contact with another rank.
inline constexpr int lost_contact_code = 3;

struct LaunchRequest {
  int ranks = 1;
  /// the path of the program, and its arguments
  std::vector<std::string> command;
  /// the time between SIGTERM and SIGKILL
  std::chrono::milliseconds grace = std::chrono::seconds(5);
};

/// Starts the ranks and waits until all have ended. Returns 0, or the exit code of the rank that
/// caused the failure (128 + N if signal N terminated it). Throws ConfigError if the program is not
/// executable or a process cannot be started.
int launch(const LaunchRequest& request);

}  // namespace tfm

// Starts the ranks of a run on one machine, as torchrun does, without Python: N copies of a program
// with the variables that rank_environment.h reads. Signals are passed on to all. One rank that
// fails ends all: it is named with its exit status, the others are asked to stop and, seconds
// later, made to.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tfm {

struct LaunchRequest {
  int ranks = 1;
  /// the program (a path) and its arguments
  std::vector<std::string> command;
  /// between asking the other ranks to stop and killing them
  std::chrono::milliseconds grace = std::chrono::seconds(5);
};

/// Returns when all ranks have ended: 0, or the first failure's exit code (128 + number where a
/// signal ended it). Throws ConfigError where the program can't be started.
int launch(const LaunchRequest& request);

}  // namespace tfm

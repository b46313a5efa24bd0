// Parses command lines as the program does, without running the command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "tfm/core/error.h"

namespace tfm {

using Arguments = std::vector<std::string>;

/// Runs "tfm ARGUMENTS" with one command and returns the exit code. Throws as run_command_line
/// does.
inline int run_with(const Command& command, const Arguments& arguments) {
  std::vector<const char*> argv{"tfm"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  return run_command_line(static_cast<int>(argv.size()), argv.data(), {command});
}

/// Returns the options with which the command would run, or nullopt if the command line is wrong.
template <class Options>
std::optional<Options> parsed(Command (*make)(Run<Options>), const Arguments& arguments) {
  std::optional<Options> seen;
  const Command command = make([&](const Options& options) {
    seen = options;
    return 0;
  });
  try {
    run_with(command, arguments);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
  return seen;
}

}  // namespace tfm

// Runs a complete command line: finds and runs the command, and handles -q, -v, --help and
// --version. In option names, `_` is read as `-`.
#pragma once

#include <string>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

/// Parses argv and runs one of the `given` commands, `help` or `completions`. Returns the exit code
/// of the command, or 0 after --help and --version. Throws ConfigError if the command line is
/// wrong, and any error that the command throws.
int run_command_line(int argc, const char* const* argv, const std::vector<Command>& given);

/// Does the same as run_command_line for the arguments after the program name, but leaves the log
/// as it is. Used for a command line inside another, as in `tfm launch --nproc 2 train ...`.
int run_inner_command_line(const std::vector<std::string>& arguments, const Command& command);

}  // namespace tfm

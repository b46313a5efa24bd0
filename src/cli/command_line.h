// Runs a whole command line: finds the command, and handles -q, -v, --help and --version. `-` and
// `_` mean the same in the names of options.
#pragma once

#include <vector>

#include "tfm/help/command.h"

namespace tfm {

/// Parses argv and runs one of the `given` commands, `help` or `completions`. Returns the exit code
/// of the command, or 0 after --help and --version. Throws ConfigError if the command line is
/// wrong, and the errors of the command.
int run_command_line(int argc, const char* const* argv, const std::vector<Command>& given);

}  // namespace tfm

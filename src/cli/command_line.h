// The command line as a whole: which command was named, -q and -v, --help and --version. `-` and
// `_` mean the same in option names.
#pragma once

#include <vector>

#include "command.h"

namespace tfm {

/// Parses argv and runs one command; returns its exit code. Returns 2 on a wrong command line, 0
/// after --help and --version; throws ConfigError for a word that is no command, and the command's
/// errors.
int run_command_line(int argc, const char* const* argv, const std::vector<Command>& commands);

}  // namespace tfm

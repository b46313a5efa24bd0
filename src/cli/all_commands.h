// Lists the commands of the program for run_command_line (command_line.h), which adds help and
// completions.
#pragma once

#include <vector>

#include "tfm/help/command.h"

namespace tfm {

/// Returns all commands except help and completions, in the order of `tfm --help`.
std::vector<Command> all_commands();

}  // namespace tfm

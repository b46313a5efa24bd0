// Lists the commands of the program, from which run_command_line (command_line.h) chooses.
#pragma once

#include <vector>

#include "tfm/help/command.h"

namespace tfm {

/// Returns all commands except help and completions, in the order of `tfm --help`.
std::vector<Command> all_commands();

}  // namespace tfm

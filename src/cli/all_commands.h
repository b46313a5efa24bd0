// The commands of the program.
#pragma once

#include <vector>

#include "tfm/help/command.h"

namespace tfm {

/// All commands except help, in the order of `tfm --help`.
std::vector<Command> all_commands();

}  // namespace tfm

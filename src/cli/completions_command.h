// `tfm completions`: prints the completion script of a shell.
#pragma once

#include "tfm/help/command.h"

namespace tfm {

/// Returns the command. `root` and `commands` must outlive it, because the command reads them when
/// it runs.
Command completions_command(const CLI::App& root, const std::vector<Command>& commands);

}  // namespace tfm

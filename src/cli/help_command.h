// `tfm help`: prints the help page of the program or of a command, or all pages as one Markdown or
// manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

/// Returns the command. `root` and `commands` must outlive it, because the command reads them when
/// it runs.
Command help_command(const CLI::App& root, const std::vector<Command>& commands);

}  // namespace tfm

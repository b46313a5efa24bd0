// `tfm completions`: prints the completion script of a shell.
#pragma once

#include "tfm/help/command.h"

namespace tfm {

/// Both arguments must outlive the command.
Command completions_command(const CLI::App& root, const std::vector<Command>& commands);

}  // namespace tfm

// `tfm completions`: prints the completion script of a shell.
#pragma once

#include "tfm/help/command.h"

namespace tfm {

/// Returns the command. The root app and the commands must outlive it; it reads both when it runs.
Command completions_command(const CLI::App& root, const std::vector<Command>& commands);

}  // namespace tfm

// `tfm help`: the page of the program or of a command, or all pages as Markdown.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

/// The root app and the commands must outlive the command; both are read when it runs.
Command help_command(const CLI::App& root, const std::vector<Command>& commands);

}  // namespace tfm

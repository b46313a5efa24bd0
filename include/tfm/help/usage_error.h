// Errors for wrong command lines. The hint suggests the nearest known name, or refers to the help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tfm/core/error.h"
#include "tfm/help/command.h"

namespace tfm {

/// Returns the error for a word that is not a command of `app`, which is the program or a group.
ConfigError unknown_command(const CLI::App& app, const std::string& word);

/// Returns the error for the first word that CLI11 could not use: an unknown command, an unknown
/// option, or a superfluous argument. `root` must have parsed `arguments`.
ConfigError unused_word(const CLI::App& root, const std::vector<Command>& commands,
                        const std::vector<std::string>& arguments);

/// Returns the error for a command line without unused words on which CLI11 failed with `error`,
/// such as one that lacks a command or the value of an option.
ConfigError wrong_usage(const CLI::App& root, const CLI::Error& error);

}  // namespace tfm

// Errors for command lines that name something unknown, with the nearest known name.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tfm/core/error.h"
#include "tfm/help/command.h"

namespace tfm {

/// Returns the error for a word that is not a command of the program or the group.
ConfigError unknown_command(const CLI::App& app, const std::string& word);

/// Returns the error for the first word that CLI11 could not use: an unknown command, an unknown
/// option, or an argument too many. The root app has parsed `arguments`.
ConfigError unused_word(const CLI::App& root, const std::vector<Command>& commands,
                        const std::vector<std::string>& arguments);

/// Returns the error for a wrong command line without unused words, such as one that lacks a
/// command or the value of an option.
ConfigError wrong_usage(const CLI::App& root, const CLI::Error& error);

}  // namespace tfm

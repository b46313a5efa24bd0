// The help of the program or of a command as data. The help text on the terminal, docs/commands.md,
// the manual page and the shell completions are all generated from this data.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

struct HelpEntry {
  std::string names;                      ///< "-o, --output FILE", or the name of a command
  std::string text;                       ///< one or more sentences
  std::string fallback;                   ///< "required" or "default: 4"; may be empty
  std::vector<std::string> options = {};  ///< "-o" and "--output"; empty for other entries
  std::string value = {};                 ///< placeholder "FILE"; empty for a flag or command
  std::vector<std::string> choices = {};  ///< all possible values; empty if they are not known
};

/// Returns a type name for a CLI11 option ("NAME:{fp32,bf16}"). It consists of `word`, which help
/// pages show as the option's value, and of the choices, which completion offers.
std::string value_type(const std::string& word, const std::vector<std::string>& choices);

struct HelpGroup {
  std::string title;
  std::vector<HelpEntry> entries;
};

struct HelpPage {
  std::string name;     ///< "tfm train"
  std::string summary;  ///< one sentence
  std::string usage;    ///< "tfm train [OPTIONS] -c FILE"
  std::string details;
  std::vector<std::string> examples;
  std::vector<HelpGroup> groups;
  std::string read_more;
  bool lists_commands = false;  ///< the page of the program or of a group of commands
};

/// Returns the words that run the app's command: "tfm config check".
std::string full_name(const CLI::App& app);

/// Returns the help page of the app: of the program (for the root app), of a group of commands, or
/// of a command. Command::prepare must already have added the options to the apps.
HelpPage help_page(const CLI::App& app, const std::vector<Command>& commands);

/// Returns the pages of all commands of the program.
std::vector<HelpPage> command_pages(const CLI::App& root, const std::vector<Command>& commands);

}  // namespace tfm

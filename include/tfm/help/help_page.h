// The help of one command as data, from which the terminal's page, docs/commands.md, the manual
// page and the completions of shells are made.
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
  std::vector<std::string> options = {};  ///< "-o" and "--output"; empty if it is not an option
  std::string value = {};                 ///< "FILE"; empty for a flag or a command
  std::vector<std::string> choices = {};  ///< all possible values; empty if they are not known
};

/// Returns the type name of an option for CLI11: the word that help pages show and, for completion,
/// the values of the option ("NAME:{fp32,bf16}").
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
};

/// Returns the words that call the app's command: "tfm config check".
std::string full_name(const CLI::App& app);

/// Returns the page of the program (for the root app), of a group of commands, or of a command. The
/// apps must already have the options of the commands.
HelpPage help_page(const CLI::App& app, const std::vector<Command>& commands);

/// Returns the pages of all commands of the program.
std::vector<HelpPage> command_pages(const CLI::App& root, const std::vector<Command>& commands);

}  // namespace tfm

// A command of the program is one object: its name, its help, its options and the function that
// runs it. Most commands are defined in src/cli/<name>_command.cpp. Related commands share a file
// (config_command.cpp). src/cli/all_commands.cpp lists the commands. command_line.cpp adds the
// commands help and completions, and runs the command that the user names.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace tfm {

/// A group of related commands. Its name precedes theirs: "config" in `tfm config check`.
struct CommandGroup {
  std::string name;  ///< empty if the command has no group
  std::string summary;
};

/// Describes a command. `tfm --help` and the help page of the command are made from this struct and
/// from the options that `prepare` adds.
struct Command {
  std::string name;
  CommandGroup group;
  std::string section;  ///< the heading of `tfm --help` under which the command is listed
  std::string summary;  ///< one sentence without full stop; fits on a line of `tfm --help`
  std::string details;  ///< further sentences for the command's own page; may be empty
  std::vector<std::string> examples;  ///< complete command lines
  std::string read_more;              ///< pages and commands that explain more
  /// Adds the options to the command's app, and returns a function to be called after parsing. This
  /// function runs the command with the parsed options. It returns the exit code, or throws the
  /// errors of core/error.h.
  std::function<std::function<int()>(CLI::App&)> prepare;
  /// Returns advice, in one sentence, on an option that the command does not have
  /// ("--max-steps=4"), or an empty text. May be unset.
  std::function<std::string(const std::string&)> advise_on_option = {};

  /// Returns the name of the command with that of its group: "config check" or "train".
  std::string full_name() const { return group.name.empty() ? name : group.name + " " + name; }
};

/// The function that runs a command. Tests pass a function that inspects the options instead.
template <class Options>
using Run = std::function<int(const Options&)>;

/// Returns Command::prepare for a command whose options are a plain struct.
template <class Options>
std::function<std::function<int()>(CLI::App&)> with_options(void (*add_options)(CLI::App&,
                                                                                Options&),
                                                            Run<Options> run) {
  return [add_options, run = std::move(run)](CLI::App& app) {
    auto options = std::make_shared<Options>();
    add_options(app, *options);
    return [options, run] { return run(*options); };
  };
}

}  // namespace tfm

// A command of the program is one object: its name, its help, its options and what it does. Each
// is defined in one file, src/cli/<name>_command.cpp; main.cpp lists them, and command_line.h runs
// the one that was named.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace tfm {

/// The word before the names of commands that belong together: "config" of `tfm config check`.
struct CommandGroup {
  std::string name;  ///< empty: the command stands alone
  std::string summary;
};

struct Command {
  std::string name;
  CommandGroup group;
  std::string summary;  ///< what --help begins with: an example, then what the command does
  /// Adds the options to the command's app. What it returns runs the command with the options that
  /// were parsed since then: it returns the exit code and throws the errors of core/error.h.
  std::function<std::function<int()>(CLI::App&)> prepare;
};

/// What runs a command. Tests give their own, which looks at the options.
template <class Options>
using Run = std::function<int(const Options&)>;

/// Command::prepare of a command whose options are a plain struct.
template <class Options>
std::function<std::function<int()>(CLI::App&)> with_options(void (*add_options)(CLI::App&,
                                                                                Options&),
                                                            Run<Options> run) {
  return [add_options, run](CLI::App& app) {
    auto options = std::make_shared<Options>();
    add_options(app, *options);
    return [options, run] { return run(*options); };
  };
}

}  // namespace tfm

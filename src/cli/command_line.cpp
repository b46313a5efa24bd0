#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "completions_command.h"
#include "help_command.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/spelling.h"
#include "tfm/help/help_formatter.h"
#include "tfm/help/usage_error.h"
#include "version.h"

namespace tfm {
namespace {

/// Returns the arguments with `_` replaced by `-` in option names but not in values:
/// "--beam_size=a_b" -> "--beam-size=a_b".
std::vector<std::string> with_dashes(std::vector<std::string> arguments) {
  for (auto& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with("--")) continue;
    const auto name_end = argument.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(argument.find('='), argument.size()));
    std::replace(argument.begin(), name_end, '_', '-');
  }
  return arguments;
}

/// Throws ConfigError if an option ends with "=", which CLI11 would read as a flag without a value,
/// or as a value in the next argument.
void refuse_empty_values(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (!argument.starts_with("--") || argument.find('=') != argument.size() - 1) continue;
    throw ConfigError("", "no value follows '" + argument + "'",
                      "Write a value after the =, or leave out the =.");
  }
}

/// Adds a CLI11 app for the command and returns it. If the command has a group, its app is added to
/// the app of the group.
CLI::App& add_app(CLI::App& root, const Command& command) {
  if (command.group.name.empty()) return *root.add_subcommand(command.name, command.summary);
  CLI::App* group = nullptr;
  for (CLI::App* each : root.get_subcommands({})) {
    if (each->get_name() == command.group.name) group = each;
  }
  if (group == nullptr) {
    group = root.add_subcommand(command.group.name, command.group.summary);
    group->require_subcommand(1);
  }
  return *group->add_subcommand(command.name, command.summary);
}

/// Makes the flags of the app refuse a value that is not a boolean ("--sampling=maybe"). Without
/// this check, CLI11 throws the exception of std::stoll, or counts "2" as two flags.
void check_flags(CLI::App& app) {
  const CLI::Validator is_boolean(
      [](const std::string& value) -> std::string {
        constexpr std::array<std::string_view, 8> booleans{"true", "false", "1",  "0",
                                                           "yes",  "no",    "on", "off"};
        if (std::ranges::find(booleans, to_lower(value)) != booleans.end()) return "";
        return "'" + value + "' is neither true nor false";
      },
      "");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() == 0) option->check(is_boolean);
  }
}

/// Parses the arguments and runs the command, or prints the help or the version. Throws ConfigError
/// if the command line is wrong.
void parse(CLI::App& app, const std::vector<Command>& commands,
           const std::vector<std::string>& arguments) {
  refuse_empty_values(arguments);
  // CLI11 expects the last argument first.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      throw app.remaining().empty() ? wrong_usage(app, error)
                                    : unused_word(app, commands, arguments);
    }
    std::ostringstream text;  // the text of --help or --version
    app.exit(error, text, text);
    print_result(text.str());
  }
}

int run_arguments(const std::vector<std::string>& arguments, const std::vector<Command>& given,
                  const std::function<void(Verbosity)>& set_verbosity) {
  CLI::App app("Trains, evaluates and runs Transformer translation models", "tfm");
  std::vector<Command> commands = given;
  commands.push_back(help_command(app, commands));
  commands.push_back(completions_command(app, commands));
  app.formatter(std::make_shared<HelpFormatter>(commands));
  app.require_subcommand(1);
  app.fallthrough();  // -q and -v may also follow the command
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("-V,--version", describe_version,
                       "Print the version, what was built in and the processor's features");
  bool quiet = false;
  bool verbose = false;
  app.add_flag("-q,--quiet", quiet, "Log only warnings and errors");
  app.add_flag("-v,--verbose", verbose, "Also log debug messages");
  app.parse_complete_callback([&] {
    set_verbosity(quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal);
  });
  int code = 0;
  for (const Command& command : commands) {
    CLI::App& command_app = add_app(app, command);
    command_app.callback([&code, run = command.prepare(command_app)] { code = run(); });
    check_flags(command_app);
  }
  check_flags(app);
  parse(app, commands, with_dashes(arguments));
  return code;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const std::vector<Command>& given) {
  return run_arguments({argv + 1, argv + argc}, given, set_up_log);
}

int run_inner_command_line(const std::vector<std::string>& arguments, const Command& command) {
  return run_arguments(arguments, {command}, [](Verbosity) {});
}

}  // namespace tfm

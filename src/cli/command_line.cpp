#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

constexpr const char* overview = R"(Examples:
  tfm train --config configs/toy.yaml
  tfm translate "ich mochte ein bier"

Trains, checks and runs Transformer translators.
Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage or )"
                                 R"(config, 130 interrupted (training: saved).)";

/// "--Beam_size=3" -> "--Beam-size=3": the name's underscores only.
std::vector<std::string> with_dashes(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (auto& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with("--")) continue;
    const auto name_end = argument.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(argument.find('='), argument.size()));
    std::replace(argument.begin(), name_end, '_', '-');
  }
  return arguments;
}

/// The app that a command's options belong to: in the app of its group, if it has one.
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

/// "train, model and config": what may stand first.
std::string list_names(const CLI::App& root) {
  const auto apps = root.get_subcommands({});
  std::string names;
  for (std::size_t i = 0; i < apps.size(); ++i) {
    if (i > 0) names += i + 1 == apps.size() ? " and " : ", ";
    names += apps[i]->get_name();
  }
  return names;
}

int parse(CLI::App& app, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0 && !app.remaining().empty()) {
      throw ConfigError("", "unknown: " + app.remaining().front(),
                        "Commands are " + list_names(app) + "; tfm --help shows them.");
    }
    return app.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const std::vector<Command>& commands) {
  CLI::App app(overview, "tfm");
  app.require_subcommand(1);
  app.fallthrough();  // -q and -v are understood after the command as well
  app.set_version_flag("--version", "tfm " TFM_VERSION);
  bool quiet = false;
  bool verbose = false;
  app.add_flag("-q,--quiet", quiet, "Warnings and errors only");
  app.add_flag("-v,--verbose", verbose, "Say more");
  app.parse_complete_callback([&] {
    set_up_log(quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal);
  });
  int code = 0;
  for (const Command& command : commands) {
    CLI::App& command_app = add_app(app, command);
    command_app.callback([&code, run = command.prepare(command_app)] { code = run(); });
  }
  const int wrong_usage = parse(app, with_dashes(argc, argv));
  return wrong_usage != 0 ? wrong_usage : code;
}

}  // namespace tfm

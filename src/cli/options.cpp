#include "tfm/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command_options.h"
#include "tfm/core/error.h"

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

}  // namespace

int run_command_line(int argc, const char* const* argv, const Commands& commands) {
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
  add_train(app, code, commands);
  add_launch(app, code, commands);
  add_translate(app, code, commands);
  add_score(app, code, commands);
  add_evaluate(app, code, commands);
  add_report(app, code, commands);
  add_average(app, code, commands);
  add_shortlist(app, code, commands);
  add_export(app, code, commands);
  add_import(app, code, commands);
  add_model(app, code, commands);
  add_config(app, code, commands);
  auto arguments = with_dashes(argc, argv);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0 && !app.remaining().empty()) {
      throw ConfigError("", "unknown: " + app.remaining().front(),
                        "Commands are train, launch, translate, score, evaluate, report, average, "
                        "shortlist, export, import, model and config; tfm "
                        "--help shows them.");
    }
    return app.exit(error) == 0 ? 0 : 2;
  }
  return code;
}

}  // namespace tfm

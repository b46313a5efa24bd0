#include "help_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/help/environment.h"
#include "tfm/help/help_markdown.h"
#include "tfm/help/help_page.h"
#include "tfm/help/help_text.h"
#include "tfm/help/man_page.h"
#include "tfm/help/usage_error.h"

namespace tfm {
namespace {

enum class HelpFormat { text, markdown, man };

struct HelpOptions {
  std::vector<std::string> words;
  HelpFormat format = HelpFormat::text;
};

void add_options(CLI::App& app, HelpOptions& options) {
  app.add_option(
         "command", options.words,
         "The command to explain, or environment for the environment variables; without it, "
         "all commands are listed")
      ->type_name("COMMAND");
  add_format_option<HelpFormat>(
      app, options.format,
      {{"text", HelpFormat::text}, {"markdown", HelpFormat::markdown}, {"man", HelpFormat::man}},
      "text, or the pages of all commands as one page: markdown, or man "
      "for the manual page tfm(1)")
      ->default_str("text");
}

/// Returns the app of a command or group, given the words of its name ("config" and "check"), or
/// the root app if there are no words. Throws ConfigError for an unknown word.
const CLI::App& find_app(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* app = &root;
  for (const std::string& word : words) {
    const auto found =
        app->get_subcommands([&](const CLI::App* each) { return each->get_name() == word; });
    if (found.empty()) throw unknown_command(*app, word);
    app = found.front();
  }
  return *app;
}

std::string all_pages(const CLI::App& root, const std::vector<Command>& commands,
                      HelpFormat format) {
  const auto make = format == HelpFormat::man ? man_page : help_markdown;
  return make(help_page(root, commands), command_pages(root, commands));
}

int run_help(const CLI::App& root, const std::vector<Command>& commands,
             const HelpOptions& options) {
  const bool is_text = options.format == HelpFormat::text;
  if (!is_text && !options.words.empty()) {
    throw ConfigError("--format", "only text has a page per command",
                      "Leave out the command, or leave out --format.");
  }
  const auto page = [&] {
    const bool is_topic = options.words == std::vector<std::string>{environment_topic};
    return is_topic ? environment_page() : help_page(find_app(root, options.words), commands);
  };
  print_result(is_text ? help_text(page(), HelpStyle::for_stdout())
                       : all_pages(root, commands, options.format));
  return 0;
}

}  // namespace

Command help_command(const CLI::App& root, const std::vector<Command>& commands) {
  return {.name = "help",
          .group = {},
          .section = "Help",
          .summary = "Prints the help of the program or of a command",
          .details = "",
          .examples = {"tfm help config check", "tfm help environment"},
          .read_more = "docs/commands.md",
          .prepare = with_options<HelpOptions>(add_options,
                                               [&root, &commands](const HelpOptions& options) {
                                                 return run_help(root, commands, options);
                                               })};
}

}  // namespace tfm

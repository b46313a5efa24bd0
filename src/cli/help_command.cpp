#include "help_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/help/help_markdown.h"
#include "tfm/help/help_page.h"
#include "tfm/help/help_text.h"
#include "tfm/help/usage_error.h"

namespace tfm {
namespace {

enum class HelpFormat { text, markdown };

struct HelpOptions {
  std::vector<std::string> words;
  HelpFormat format = HelpFormat::text;
};

void add_options(CLI::App& app, HelpOptions& options) {
  app.add_option("command", options.words, "The command to explain; without it, all are listed")
      ->type_name("COMMAND");
  add_format_option<HelpFormat>(app, options.format,
                                {{"text", HelpFormat::text}, {"markdown", HelpFormat::markdown}},
                                "text, or markdown: the pages of all commands as one Markdown page")
      ->default_str("text");
}

/// The app that the words name, e.g. "config", "check". Throws ConfigError.
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

std::string all_pages(const CLI::App& root, const std::vector<Command>& commands) {
  std::vector<HelpPage> pages;
  for (const Command& command : commands) {
    const auto words = command.group.name.empty() ? std::vector{command.name}
                                                  : std::vector{command.group.name, command.name};
    pages.push_back(help_page(find_app(root, words), commands));
  }
  return help_markdown(help_page(root, commands), pages);
}

int run_help(const CLI::App& root, const std::vector<Command>& commands,
             const HelpOptions& options) {
  const bool is_markdown = options.format == HelpFormat::markdown;
  if (is_markdown && !options.words.empty()) {
    throw ConfigError("--format", "markdown is the page of all commands",
                      "Leave out the command, or leave out --format.");
  }
  print_result(is_markdown ? all_pages(root, commands)
                           : help_text(help_page(find_app(root, options.words), commands),
                                       HelpStyle::for_stdout()));
  return 0;
}

}  // namespace

Command help_command(const CLI::App& root, const std::vector<Command>& commands) {
  return {.name = "help",
          .group = {},
          .section = "Help",
          .summary = "Prints the help of the program or of a command",
          .details = "",
          .examples = {"tfm help translate", "tfm help config check"},
          .read_more = "docs/commands.md",
          .prepare = with_options<HelpOptions>(add_options,
                                               [&root, &commands](const HelpOptions& options) {
                                                 return run_help(root, commands, options);
                                               })};
}

}  // namespace tfm

#include "completions_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/help/completions.h"

namespace tfm {
namespace {

struct CompletionsOptions {
  Shell shell = Shell::bash;
};

void add_options(CLI::App& app, CompletionsOptions& options) {
  const std::map<std::string, Shell> shells{
      {"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}};
  add_named_option(app, "shell", "shell", options.shell, shells, "bash, zsh or fish")
      ->required()
      ->type_name(value_type("SHELL", {"bash", "zsh", "fish"}));
}

}  // namespace

Command completions_command(const CLI::App& root, const std::vector<Command>& commands) {
  const auto run = [&root, &commands](const CompletionsOptions& options) {
    print_result(
        completion_script(options.shell, help_page(root, commands), command_pages(root, commands)));
    return 0;
  };
  return {.name = "completions",
          .group = {},
          .section = "Help",
          .summary = "Prints the completion script of a shell",
          .details = "`cmake --install` puts the scripts where bash, zsh and fish look for them.",
          .examples = {"source <(tfm completions bash)",
                       "tfm completions fish > ~/.config/fish/completions/tfm.fish"},
          .read_more = "docs/getting-started.md",
          .prepare = with_options<CompletionsOptions>(add_options, run)};
}

}  // namespace tfm

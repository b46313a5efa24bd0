#include "tfm/help/usage_error.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>
#include <utility>

#include "tfm/core/spelling.h"
#include "tfm/help/help_page.h"

namespace tfm {
namespace {

/// Returns the app of the command on the command line. If there is no command, returns the app of
/// the group on the command line, or else the app of the program.
const CLI::App& named_app(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : named_app(*parsed.front());
}

std::vector<const CLI::App*> apps_of_commands(const CLI::App& app) {
  std::vector<const CLI::App*> apps = app.get_subcommands([](const CLI::App*) { return true; });
  const auto own = apps.size();
  for (std::size_t i = 0; i < own; ++i) {
    const auto nested = apps_of_commands(*apps[i]);
    apps.insert(apps.end(), nested.begin(), nested.end());
  }
  return apps;
}

bool has_commands(const CLI::App& app) { return !apps_of_commands(app).empty(); }

std::string help_hint(const CLI::App& app) {
  return "`" + full_name(app) + " --help` " +
         (has_commands(app) ? "lists the commands." : "lists the options.");
}

/// Returns the name of an option without dashes and value: "--beam-size=3" -> "beam-size".
std::string bare_name(const std::string& option) {
  std::string name = option.substr(0, option.find('='));
  name.erase(0, name.find_first_not_of('-'));
  return name;
}

/// Joins an option and its value: "--beam-size" and "3" -> "--beam-size=3". Returns the option
/// unchanged if it already contains a value, or if no value follows it in `arguments`.
std::string with_value(const std::string& word, const std::vector<std::string>& arguments) {
  const auto found = std::ranges::find(arguments, word);
  const bool has_value = word.find('=') == std::string::npos && found != arguments.end() &&
                         found + 1 != arguments.end() && !(found + 1)->starts_with('-');
  return has_value ? word + "=" + *(found + 1) : word;
}

/// Returns the command's own advice on the option (Command::advise_on_option), or an empty text.
std::string advice(const CLI::App& app, const std::vector<Command>& commands,
                   const std::string& option) {
  for (const Command& command : commands) {
    if (command.advise_on_option && full_name(app).ends_with(" " + command.full_name()))
      return command.advise_on_option(option);
  }
  return "";
}

ConfigError unknown_option(const CLI::App& app, const std::string& word,
                           const std::string& advice) {
  std::vector<std::string> names;
  for (const CLI::App* each = &app; each != nullptr; each = each->get_parent()) {
    for (const CLI::Option* option : each->get_options()) {
      const auto& own = option->get_lnames();
      names.insert(names.end(), own.begin(), own.end());
    }
  }
  const std::string nearest = nearest_name(bare_name(word), names);
  return {"", "'" + word.substr(0, word.find('=')) + "' is not an option of " + full_name(app),
          (!advice.empty()   ? advice + " "
           : nearest.empty() ? ""
                             : "Did you mean --" + nearest + "? ") +
              help_hint(app)};
}

/// Returns CLI11's message in the words of the other messages. They name what the option needs, not
/// how many values were received.
std::string describe(const CLI::Error& error) {
  static const std::array<std::pair<std::regex, const char*>, 4> forms{{
      {std::regex(R"((\S+): \d+ required (\[?[A-Z]+).* missing)"), "$1 needs a value, $2"},
      {std::regex(R"((\S+): At Most 1 required but received \d+)"), "$1 is given several times"},
      {std::regex(R"((\S+) requires (\S+))"), "$1 needs $2"},
      {std::regex(R"((\S+) excludes (\S+))"), "$1 can't be combined with $2"},
  }};
  std::string message = error.what();
  for (const auto& [form, text] : forms) {
    if (std::regex_match(message, form)) return std::regex_replace(message, form, text);
  }
  return message;
}

}  // namespace

ConfigError unknown_command(const CLI::App& app, const std::string& word) {
  const auto apps = apps_of_commands(app);
  std::vector<std::string> names;
  for (const CLI::App* each : apps) names.push_back(each->get_name());
  const std::string nearest = nearest_name(word, names);
  std::string hint = help_hint(app);
  if (!nearest.empty()) {
    const auto index = std::ranges::find(names, nearest) - names.begin();
    hint = "Did you mean `" + full_name(*apps[static_cast<std::size_t>(index)]) + "`? " + hint;
  } else if (app.get_option_no_throw("--" + word) != nullptr) {
    hint = "Did you mean `" + full_name(app) + " --" + word + "`? " + hint;
  }
  return {"", "'" + word + "' is not a command of " + full_name(app), hint};
}

ConfigError unused_word(const CLI::App& root, const std::vector<Command>& commands,
                        const std::vector<std::string>& arguments) {
  const CLI::App& app = named_app(root);
  const std::string word = root.remaining().front();
  if (word.starts_with('-') && word != "-")
    return unknown_option(app, word, advice(app, commands, with_value(word, arguments)));
  if (has_commands(app)) return unknown_command(app, word);
  return {"", full_name(app) + " does not take the argument '" + word + "'", help_hint(app)};
}

ConfigError wrong_usage(const CLI::App& root, const CLI::Error& error) {
  const CLI::App& app = named_app(root);
  if (!has_commands(app)) return {"", describe(error), help_hint(app)};
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  return {"", full_name(app) + " needs a command",
          fmt::format("Its commands are {}. `{} --help` describes them.", fmt::join(names, ", "),
                      full_name(app))};
}

}  // namespace tfm

#include "tfm/help/help_page.h"

#include <algorithm>

namespace tfm {
namespace {

constexpr const char* general_title = "General options";

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

bool takes_several(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

/// Returns the placeholder of the option's value ("N"), without the range that CLI11 appends to it
/// ("N:INT in [1 - 4096]").
std::string value_word(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

/// Returns "-o, --output FILE" for an option and "FILE..." for a positional argument.
std::string describe_names(const CLI::Option& option) {
  if (option.get_positional()) return value_word(option) + (takes_several(option) ? "..." : "");
  std::string names;
  for (const auto& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const auto& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  return is_flag(option) ? names : names + " " + value_word(option);
}

/// Returns the choices that a type name such as "NAME:{fp32,bf16}" lists.
std::vector<std::string> type_choices(const std::string& type) {
  const auto begin = type.find(":{");
  if (begin == std::string::npos || !type.ends_with('}')) return {};
  return CLI::detail::split(type.substr(begin + 2, type.size() - begin - 3), ',');
}

HelpEntry describe_option(const CLI::Option& option) {
  HelpEntry entry{describe_names(option), option.get_description(), ""};
  for (const auto& name : option.get_snames()) entry.options.push_back("-" + name);
  for (const auto& name : option.get_lnames()) entry.options.push_back("--" + name);
  if (!is_flag(option)) entry.value = value_word(option);
  entry.choices = type_choices(option.get_type_name());
  if (option.get_required()) {
    entry.fallback = "required";
  } else if (!option.get_default_str().empty()) {
    entry.fallback = "default: " + option.get_default_str();
  }
  return entry;
}

/// Returns the app's options for which `belongs` is true, grouped, in the order of definition.
std::vector<HelpGroup> option_groups(const CLI::App& app,
                                     const std::function<bool(const CLI::Option&)>& belongs) {
  std::vector<HelpGroup> groups;
  for (const CLI::Option* option : app.get_options()) {
    if (option == app.get_help_ptr() || option->get_group().empty() || !belongs(*option)) continue;
    const std::string title = option->get_positional() ? "Arguments" : option->get_group();
    auto group = std::ranges::find(groups, title, &HelpGroup::title);
    if (group == groups.end()) group = groups.insert(groups.end(), HelpGroup{title, {}});
    group->entries.push_back(describe_option(*option));
  }
  return groups;
}

const CLI::App& root_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app : root_of(*app.get_parent());
}

/// Returns --help and the other options of the program. A command that does not pass options on to
/// the program (CLI11's fallthrough) has only --help. --version is listed only for the program.
HelpGroup general_options(const CLI::App& app) {
  HelpGroup group{general_title, {describe_option(*app.get_help_ptr())}};
  const CLI::App& root = root_of(app);
  if (&app != &root && !app.get_fallthrough()) return group;
  for (const CLI::Option* option : root.get_options()) {
    const bool is_version = option == root.get_version_ptr();
    if (option == root.get_help_ptr() || (is_version && &app != &root)) continue;
    group.entries.push_back(describe_option(*option));
  }
  return group;
}

/// Returns the usage of a command: "tfm train [OPTIONS] [FILE] [section.key=value...]".
std::string usage_line(const CLI::App& app) {
  std::string options = " [OPTIONS]";
  std::string arguments;
  for (const CLI::Option* option : app.get_options()) {
    const std::string names = describe_names(*option);
    if (option->get_positional()) {
      arguments += option->get_required() ? " " + names : " [" + names + "]";
    } else if (option->get_required()) {
      const auto comma = names.find(", ");
      options += " " + (comma == std::string::npos
                            ? names
                            : names.substr(0, comma) + names.substr(names.rfind(' ')));
    }
  }
  if (app.get_prefix_command()) arguments += " COMMAND...";
  return full_name(app) + options + arguments;
}

std::vector<HelpEntry> list_commands(const std::vector<Command>& commands,
                                     const std::function<bool(const Command&)>& belongs) {
  std::vector<HelpEntry> entries;
  for (const Command& command : commands) {
    if (belongs(command)) entries.push_back({command.full_name(), command.summary, ""});
  }
  return entries;
}

HelpPage command_page(const CLI::App& app, const Command& command) {
  HelpPage page{.name = full_name(app),
                .summary = command.summary + ".",
                .usage = usage_line(app),
                .details = command.details,
                .examples = command.examples,
                .groups = option_groups(
                    app, [](const CLI::Option& option) { return option.get_positional(); }),
                .read_more = command.read_more};
  for (HelpGroup& group :
       option_groups(app, [](const CLI::Option& option) { return !option.get_positional(); })) {
    page.groups.push_back(std::move(group));
  }
  page.groups.push_back(general_options(app));
  return page;
}

HelpPage group_page(const CLI::App& app, const std::vector<Command>& commands) {
  HelpPage page{.name = full_name(app),
                .summary = app.get_description() + ".",
                .usage = full_name(app) + " COMMAND [OPTIONS]",
                .details = "",
                .examples = {},
                .groups = {},
                .read_more = "`" + full_name(app) + " COMMAND --help`",
                .lists_commands = true};
  page.groups.push_back({"Commands", list_commands(commands, [&](const Command& command) {
                           return command.group.name == app.get_name();
                         })});
  page.groups.push_back(general_options(app));
  return page;
}

HelpPage program_page(const CLI::App& root, const std::vector<Command>& commands) {
  HelpPage page{
      .name = root.get_name(),
      .summary = root.get_description() + ".",
      .usage = root.get_name() + " COMMAND [OPTIONS]",
      .details =
          "Results go to stdout, everything else to stderr. Exit codes: 0 done, "
          "1 failed, 2 wrong usage or config, 130 interrupted.",
      .examples = {"tfm config init --source train.de --target train.en -o my.yaml",
                   "tfm train my.yaml", "tfm translate -m runs/my -i test.de -o test.en"},
      .groups = {},
      .read_more =
          "`tfm help COMMAND`, `tfm help environment`, `tfm config explain`, docs/index.md "
          "(installed in share/doc/tfm)",
      .lists_commands = true};
  for (const Command& command : commands) {
    if (std::ranges::find(page.groups, command.section, &HelpGroup::title) != page.groups.end())
      continue;
    page.groups.push_back({command.section, list_commands(commands, [&](const Command& other) {
                             return other.section == command.section;
                           })});
  }
  page.groups.push_back(general_options(root));
  return page;
}

}  // namespace

std::string value_type(const std::string& word, const std::vector<std::string>& choices) {
  return word + ":{" + CLI::detail::join(choices, ",") + "}";
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name()
                                     : full_name(*app.get_parent()) + " " + app.get_name();
}

HelpPage help_page(const CLI::App& app, const std::vector<Command>& commands) {
  if (app.get_parent() == nullptr) return program_page(app, commands);
  const auto command = std::ranges::find_if(commands, [&](const Command& each) {
    return full_name(root_of(app)) + " " + each.full_name() == full_name(app);
  });
  return command == commands.end() ? group_page(app, commands) : command_page(app, *command);
}

std::vector<HelpPage> command_pages(const CLI::App& root, const std::vector<Command>& commands) {
  std::vector<HelpPage> pages;
  for (const Command& command : commands) {
    const CLI::App& parent =
        command.group.name.empty() ? root : *root.get_subcommand(command.group.name);
    pages.push_back(command_page(*parent.get_subcommand(command.name), command));
  }
  return pages;
}

}  // namespace tfm

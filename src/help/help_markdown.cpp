#include "tfm/help/help_markdown.h"

#include <regex>

#include "tfm/core/markdown.h"
#include "tfm/help/environment.h"

namespace tfm {
namespace {

constexpr const char* introduction =
    "# Commands\n\n"
    "`tfm --help` lists the commands, `tfm help COMMAND` prints the help of one. In the names of "
    "options `-` and `_` mean the same.\n\n"
    "This page is generated from the options of the program: "
    "`tfm help --format markdown > docs/commands.md`.\n";

std::string code_block(const std::vector<std::string>& lines) {
  std::string block = "\n";
  for (const std::string& line : lines) block += "    " + line + "\n";
  return block;
}

/// Returns the cell of the column Default: "`4`" for "default: 4", and other texts unchanged.
std::string fallback_cell(const std::string& fallback) {
  const std::string prefix = "default: ";
  return fallback.starts_with(prefix) ? "`" + fallback.substr(prefix.size()) + "`" : fallback;
}

std::string option_table(const HelpGroup& group) {
  std::string table =
      "\n| " + markdown_cell(group.title) + " | Meaning | Default |\n|---|---|---|\n";
  for (const HelpEntry& entry : group.entries) {
    table += "| " + markdown_cell("`" + entry.names + "`") + " | " + markdown_cell(entry.text) +
             " | " + markdown_cell(fallback_cell(entry.fallback)) + " |\n";
  }
  return table;
}

std::string command_table(const HelpGroup& section) {
  std::string table = "\n| " + section.title + " | Purpose |\n|---|---|\n";
  for (const HelpEntry& entry : section.entries) {
    std::string anchor = "tfm-" + entry.names;
    std::replace(anchor.begin(), anchor.end(), ' ', '-');
    table +=
        "| [`tfm " + entry.names + "`](#" + anchor + ") | " + markdown_cell(entry.text) + " |\n";
  }
  return table;
}

/// Turns the names of pages in docs/ into links.
std::string link_pages(const std::string& text) {
  return std::regex_replace(text, std::regex("docs/([a-z-]+\\.md)"), "[$1]($1)");
}

std::string command_section(const HelpPage& page) {
  std::string section = "\n## " + page.name + "\n\n" + escape_markdown(page.summary) + "\n" +
                        code_block({page.usage});
  if (!page.details.empty()) section += "\n" + escape_markdown(page.details) + "\n";
  if (!page.examples.empty()) section += "\nExamples:\n" + code_block(page.examples);
  for (const HelpGroup& group : page.groups) section += option_table(group);
  return page.read_more.empty() ? section
                                : section + "\nRead more: " + link_pages(page.read_more) + ".\n";
}

std::string variables_section(const HelpPage& page) {
  std::string section =
      "\n## Environment variables\n\n`tfm help " + page.name + "` prints these tables.\n";
  for (const HelpGroup& group : page.groups) {
    section += "\n| " + group.title + " | Meaning |\n|---|---|\n";
    for (const HelpEntry& entry : group.entries)
      section += "| `" + entry.names + "` | " + markdown_cell(entry.text) + " |\n";
  }
  return section + "\nRead more: " + link_pages(page.read_more) + ".\n";
}

}  // namespace

std::string help_markdown(const HelpPage& program, const std::vector<HelpPage>& commands) {
  std::string text = introduction;
  text += "\n" + escape_markdown(program.details) + "\n";
  for (std::size_t i = 0; i + 1 < program.groups.size(); ++i)
    text += command_table(program.groups[i]);
  text += option_table(program.groups.back());
  for (const HelpPage& page : commands) text += command_section(page);
  return text + variables_section(environment_page());
}

}  // namespace tfm

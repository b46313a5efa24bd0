#include "tfm/help/help_text.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "tfm/core/terminal.h"
#include "tfm/core/wrap.h"

namespace tfm {
namespace {

constexpr std::size_t widest = 100;
constexpr std::size_t narrowest = 40;
constexpr std::size_t widest_names = 26;  // longer names get a separate line

/// Returns the value of the environment variable COLUMNS, with which a user can override the width
/// of the terminal, or 0 if COLUMNS is unset or not a number.
std::size_t requested_columns() {
  const char* text = std::getenv("COLUMNS");
  std::size_t columns = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), columns);
  return columns;
}

std::string title(const std::string& text, const HelpStyle& style) {
  return style.bold_titles ? "\033[1m" + text + ":\033[0m" : text + ":";
}

/// Returns the text and the fallback ("[default: 4]") of an entry as wrapped lines. The fallback is
/// not split between lines.
std::string wrap_entry(const HelpEntry& entry, std::size_t width, const std::string& indent) {
  constexpr char unbroken_space = '\x1f';
  if (entry.fallback.empty()) return wrap_text(entry.text, width, indent);
  std::string fallback = entry.fallback;
  std::replace(fallback.begin(), fallback.end(), ' ', unbroken_space);
  std::string lines = wrap_text(entry.text + " [" + fallback + "]", width, indent);
  std::replace(lines.begin(), lines.end(), unbroken_space, ' ');
  return lines;
}

/// Returns the width of the column of names, which is the same for all groups of a page.
std::size_t column_width(const HelpPage& page) {
  std::size_t width = 0;
  for (const HelpGroup& group : page.groups) {
    for (const HelpEntry& entry : group.entries) {
      if (entry.names.size() <= widest_names) width = std::max(width, entry.names.size());
    }
  }
  return width;
}

/// Formats entries in two columns: the names, then the texts, which must not be empty.
std::string entry_columns(const HelpGroup& group, std::size_t names_width, const HelpStyle& style) {
  const std::string indent(2 + names_width + 2, ' ');
  std::string columns;
  for (const HelpEntry& entry : group.entries) {
    std::string text = wrap_entry(entry, style.width, indent);
    if (entry.names.size() > names_width) {
      columns += "  " + entry.names + "\n";
    } else {
      text.replace(2, entry.names.size(), entry.names);
    }
    columns += text;
  }
  return columns;
}

std::string example_lines(const HelpPage& page, const HelpStyle& style) {
  if (page.examples.empty()) return "";
  std::string lines = "\n" + title("Examples", style) + "\n";
  for (const std::string& example : page.examples) lines += wrap_text(example, style.width, "  ");
  return lines;
}

}  // namespace

HelpStyle HelpStyle::for_stdout() {
  const std::size_t requested = requested_columns();
  const std::size_t columns =
      requested > 0 ? requested : terminal_columns(STDOUT_FILENO).value_or(widest);
  return {.width = std::clamp(columns, narrowest, widest),
          .bold_titles = allows_color(STDOUT_FILENO)};
}

std::string help_text(const HelpPage& page, const HelpStyle& style) {
  std::string text = wrap_text(page.summary, style.width);
  if (!page.usage.empty())
    text += "\n" + title("Usage", style) + "\n" + wrap_text(page.usage, style.width, "  ");
  if (!page.details.empty()) text += "\n" + wrap_text(page.details, style.width);
  if (!page.lists_commands) text += example_lines(page, style);
  const std::size_t names_width = column_width(page);
  for (const HelpGroup& group : page.groups)
    text += "\n" + title(group.title, style) + "\n" + entry_columns(group, names_width, style);
  if (page.lists_commands) text += example_lines(page, style);
  if (!page.read_more.empty())
    text += "\n" + title("Read more", style) + "\n" + wrap_text(page.read_more, style.width, "  ");
  return text;
}

}  // namespace tfm

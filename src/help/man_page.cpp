#include "tfm/help/man_page.h"

#include <algorithm>
#include <cctype>

#include "tfm/help/environment.h"

namespace tfm {
namespace {

/// Returns the text as one line of troff input. Characters that troff would interpret are escaped.
std::string plain(const std::string& text) {
  std::string line;
  for (const char letter : text) {
    if (letter == '\\') {
      line += "\\e";
    } else if (letter == '-') {
      line += "\\-";  // prints "-", which can be pasted into a shell
    } else {
      line += letter == '\n' ? ' ' : letter;
    }
  }
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

std::string heading(std::string title) {
  std::ranges::transform(title, title.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return ".SH \"" + title + "\"\n";
}

std::string entries(const HelpGroup& group) {
  std::string text = ".SS \"" + group.title + "\"\n";
  for (const HelpEntry& entry : group.entries) {
    const std::string fallback = entry.fallback.empty() ? "" : " [" + entry.fallback + "]";
    text += ".TP\n.B " + plain(entry.names) + "\n" + plain(entry.text + fallback) + "\n";
  }
  return text;
}

std::string examples(const HelpPage& page) {
  std::string text = ".SS Examples\n.nf\n";
  for (const std::string& example : page.examples) text += plain(example) + "\n";
  return text + ".fi\n";
}

std::string man_section(const HelpPage& page) {
  std::string text = heading(page.name) + plain(page.summary) + "\n.PP\n.B " + plain(page.usage);
  text += "\n";
  if (!page.details.empty()) text += ".PP\n" + plain(page.details) + "\n";
  for (const HelpGroup& group : page.groups) text += entries(group);
  return text + examples(page);
}

}  // namespace

std::string man_page(const HelpPage& program, const std::vector<HelpPage>& commands) {
  const std::string summary = program.summary.substr(0, program.summary.find('.'));
  std::string text = ".TH TFM 1 \"\" \"tfm " TFM_VERSION "\" \"User Commands\"\n";
  text += heading("name") + "tfm \\- " + plain(summary) + "\n";
  text += heading("synopsis") + ".B " + plain(program.usage) + "\n";
  text += heading("description") + plain(program.details) + "\n";
  for (const HelpGroup& group : program.groups) text += entries(group);
  for (const HelpPage& page : commands) text += man_section(page);
  text += heading("environment");
  for (const HelpGroup& group : environment_page().groups) text += entries(group);
  return text;
}

}  // namespace tfm

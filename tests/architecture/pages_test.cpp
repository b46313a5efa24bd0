// Checks the Markdown pages against the tree: relative links lead to existing files and headings,
// and docs/troubleshooting.md quotes messages that the sources contain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "source_tree.h"

namespace tfm {
namespace {

using testing::IsEmpty;

std::string read_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Returns the pages of the root folder and of docs.
std::vector<fs::path> pages(const fs::path& root) {
  std::vector<fs::path> found = {root / "README.md", root / "CHANGELOG.md",
                                 root / "CONTRIBUTING.md", root / "SECURITY.md"};
  for (const fs::path& file : files_under(root / "docs"))
    if (file.extension() == ".md") found.push_back(file);
  return found;
}

/// Returns the text of the pattern's first capture group in each match.
std::vector<std::string> find_all(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex compiled(pattern, std::regex::multiline);
  for (std::sregex_iterator match(text.begin(), text.end(), compiled), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

/// Returns the name that GitHub gives a heading in links: "Text with `code`" -> "text-with-code".
std::string anchor(const std::string& heading) {
  std::string name;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') name += '-';
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80)
      name += static_cast<char>(std::tolower(byte));
  }
  return name;
}

std::set<std::string> anchors(const fs::path& page) {
  std::set<std::string> names;
  for (const std::string& heading : find_all(read_text(page), "^#+ (.*)$"))
    names.insert(anchor(heading));
  return names;
}

TEST(Pages, RelativeLinksLeadToExistingFilesAndHeadings) {
  std::vector<std::string> broken;
  for (const fs::path& page : pages(TFM_SOURCE_DIR)) {
    for (const std::string& link : find_all(read_text(page), R"(\]\(([^)\s]+)\))")) {
      if (link.find("://") != std::string::npos) continue;
      const std::string file = link.substr(0, link.find('#'));
      const fs::path target = file.empty() ? page : page.parent_path() / file;
      const bool has_anchor = file.size() < link.size();
      if (!fs::exists(target) ||
          (has_anchor && anchors(target).count(link.substr(file.size() + 1)) == 0))
        broken.push_back(page.filename().string() + ": " + link);
    }
  }
  EXPECT_THAT(broken, IsEmpty());
}

/// Returns the names of the environment variables that the sources read: those in calls of getenv,
/// and the upper-case names in sources that pass getenv to another function.
std::set<std::string> variables_read(const fs::path& root) {
  std::set<std::string> names;
  for (const fs::path& top : {root / "src", root / "include"}) {
    for (const fs::path& file : files_under(top)) {
      const std::string text = read_text(file);
      if (text.find("getenv(") == std::string::npos && text.find("setenv(") == std::string::npos &&
          text.find("launched_variable =") == std::string::npos)
        continue;
      for (const std::string& name : find_all(text, "\"([A-Z][A-Z0-9_]{3,})\"")) names.insert(name);
    }
  }
  return names;
}

TEST(CommandsPage, ListsEveryEnvironmentVariableThatTheSourcesRead) {
  const std::string page = read_text(fs::path(TFM_SOURCE_DIR) / "docs/commands.md");
  const std::string tables = page.substr(page.find("\n## Environment variables\n"));
  const auto names = variables_read(TFM_SOURCE_DIR);
  EXPECT_THAT(names, testing::IsSupersetOf({"TFM_MODEL", "NO_COLOR", "SLURM_PROCID", "HOME"}));
  for (const std::string& name : names)
    EXPECT_THAT(tables, testing::ContainsRegex("[` ]" + name + "[`,]"));
}

/// Returns the text of the sources, scripts and CMake files with adjacent string literals joined.
std::string read_messages(const fs::path& root) {
  std::string text;
  for (const char* folder : {"src", "scripts", "cmake"})
    for (const fs::path& file : files_under(root / folder)) text += read_text(file);
  return std::regex_replace(text, std::regex("\"\\s*\n\\s*\"|\\\\\n"), "");
}

/// Returns the messages in the first column of the page's tables, each split into parts at "…".
std::vector<std::string> quoted_parts(const fs::path& page) {
  std::vector<std::string> parts;
  for (const std::string& cell : find_all(read_text(page), R"(^\| (`.*?) \| )")) {
    for (const std::string& message : find_all(cell, "`([^`]+)`")) {
      const std::string constant = std::regex_replace(message, std::regex("…"), "\n");
      for (const std::string& part : find_all(constant, R"(([A-Za-z][^\n]*[A-Za-z]))"))
        parts.push_back(part);
    }
  }
  return parts;
}

TEST(TroubleshootingPage, QuotesOnlyMessagesThatTheSourcesContain) {
  const fs::path root = TFM_SOURCE_DIR;
  const std::string messages = read_messages(root);
  const auto parts = quoted_parts(root / "docs/troubleshooting.md");
  EXPECT_GE(parts.size(), 30u);
  std::vector<std::string> unknown;
  for (const std::string& part : parts)
    if (messages.find(part) == std::string::npos) unknown.push_back(part);
  EXPECT_THAT(unknown, IsEmpty());
}

}  // namespace
}  // namespace tfm

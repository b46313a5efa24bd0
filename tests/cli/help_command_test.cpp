// Tests the help of the program and of every command.
#include "cli/help_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "cli/all_commands.h"
#include "parsed.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Runs `tfm ARGUMENTS` and returns its stdout.
std::string printed(const Arguments& arguments) {
  testing::internal::CaptureStdout();
  std::vector<const char*> argv{"tfm"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  EXPECT_EQ(run_command_line(static_cast<int>(argv.size()), argv.data(), all_commands()), 0);
  return testing::internal::GetCapturedStdout();
}

Arguments words_of(const Command& command) {
  return command.group.name.empty() ? Arguments{command.name}
                                    : Arguments{command.group.name, command.name};
}

/// Returns the words that select each help page: that of the program, of each group and of each
/// command.
std::vector<Arguments> all_pages() {
  std::vector<Arguments> pages{{}, {"help"}};
  for (const Command& command : all_commands()) {
    pages.push_back(words_of(command));
    if (!command.group.name.empty()) pages.push_back({command.group.name});
  }
  return pages;
}

/// Sets the environment variable COLUMNS for the lifetime of the object.
class Columns {
 public:
  explicit Columns(int count) { ::setenv("COLUMNS", std::to_string(count).c_str(), 1); }
  ~Columns() { ::unsetenv("COLUMNS"); }
};

TEST(HelpPages, HaveNoLineLongerThanTheTerminal) {
  for (const int width : {80, 100, 250}) {
    const Columns columns(width);
    for (Arguments page : all_pages()) {
      page.emplace_back("--help");
      std::istringstream text(printed(page));
      for (std::string line; std::getline(text, line);)
        EXPECT_LE(line.size(), static_cast<std::size_t>(std::min(width, 100))) << line;
    }
  }
}

TEST(HelpPages, AreTheSameForHelpCommandAndHelpFlag) {
  for (const Arguments& page : all_pages()) {
    Arguments help_command{"help"};
    help_command.insert(help_command.end(), page.begin(), page.end());
    Arguments help_flag = page;
    help_flag.emplace_back("--help");
    EXPECT_EQ(printed(help_command), printed(help_flag)) << testing::PrintToString(page);
  }
}

TEST(HelpPages, CommandPagesHaveUsageExamplesOptionsAndReferences) {
  for (const Command& command : all_commands()) {
    const std::string name = "tfm " + command.full_name();
    EXPECT_EQ(command.examples.size(), 2U) << name;
    for (const std::string& example : command.examples) {
      EXPECT_THAT(example, HasSubstr("tfm ")) << name;
      EXPECT_LE(example.size(), 78U) << "is wrapped: " << example;
    }
    EXPECT_THAT(command.summary, Not(testing::EndsWith("."))) << name;
    EXPECT_LE(command.summary.size(), 62U) << "is wrapped in tfm --help: " << command.summary;
    Arguments help = words_of(command);
    help.emplace_back("--help");
    const std::string text = printed(help);
    EXPECT_THAT(text, testing::StartsWith(command.summary + ".\n\nUsage:\n  " + name));
    for (const char* part : {"\nExamples:\n", "\nGeneral options:\n", "\nRead more:\n"})
      EXPECT_THAT(text, HasSubstr(part)) << name;
  }
}

TEST(HelpPages, DescribeEveryOptionAndNameItsValue) {
  for (Arguments page : all_pages()) {
    page.emplace_back("--help");
    const std::string text = printed(page);
    EXPECT_FALSE(std::regex_search(text, std::regex("\n +-[^ ]+( [A-Z.]+)?\n +-"))) << text;
    EXPECT_THAT(text, Not(HasSubstr("[default: ]")));
  }
  const std::string text = printed({"score", "--help"});
  EXPECT_THAT(text, HasSubstr("--precision NAME"));
  EXPECT_THAT(text, HasSubstr("[default: fp32]"));
  EXPECT_THAT(printed({"export", "--help"}), HasSubstr("[required]"));
}

TEST(HelpPages, ProgramPageListsEachCommandOnOneLine) {
  const Columns columns(80);
  const std::string text = printed({"--help"});
  for (const Command& command : all_commands()) {
    EXPECT_THAT(text, HasSubstr("\n" + command.section + ":\n"));
    const std::regex line("\n  " + command.full_name() + " +" + command.summary + "\n");
    EXPECT_TRUE(std::regex_search(text, line)) << command.full_name() << text;
  }
}

TEST(HelpPages, ProgramPageHasExamplesBelowTheCommands) {
  const std::string text = printed({"--help"});
  const auto examples = text.find("\nExamples:\n");
  ASSERT_NE(examples, std::string::npos);
  for (const Command& command : all_commands())
    EXPECT_LT(text.find("\n" + command.section + ":\n"), examples);
  EXPECT_LT(printed({"translate", "--help"}).find("\nExamples:\n"),
            printed({"translate", "--help"}).find("\nArguments:\n"));
}

TEST(HelpCommand, ListsTheEnvironmentVariables) {
  const std::string text = printed({"help", "environment"});
  EXPECT_THAT(text, testing::StartsWith("Environment variables that tfm reads.\n\nProgram:\n"));
  EXPECT_THAT(text, HasSubstr("\n  TFM_MODEL "));
  EXPECT_THAT(printed({"help", "--format", "man"}), HasSubstr(".SH \"ENVIRONMENT\"\n"));
}

TEST(HelpPages, ReferOnlyToExistingDocumentation) {
  const std::regex file("docs/[a-z-]+\\.md");
  for (const Command& command : all_commands()) {
    const std::string& text = command.read_more;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), file);
         at != std::sregex_iterator(); ++at) {
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(TFM_SOURCE_DIR) / at->str()))
          << command.full_name() << ": " << at->str();
    }
  }
}

TEST(HelpPages, DoNotShowTheFormerNameOfTheResumeOption) {
  const std::string text = printed({"translate", "--help"});
  EXPECT_THAT(text, HasSubstr("--resume"));
  EXPECT_THAT(text, Not(HasSubstr("--continue")));
}

TEST(HelpPages, LaunchPageOmitsTheOptionQuiet) {
  const std::string text = printed({"launch", "--help"});
  EXPECT_THAT(text, HasSubstr("tfm launch [OPTIONS] --nproc N COMMAND..."));
  EXPECT_THAT(text, Not(HasSubstr("--quiet")));
}

TEST(HelpCommand, PrintsAllCommandsAsMarkdown) {
  const std::string page = printed({"help", "--format", "markdown"});
  for (const Command& command : all_commands()) {
    EXPECT_THAT(page, HasSubstr("\n## tfm " + command.full_name() + "\n"));
    EXPECT_THAT(page, HasSubstr("    " + command.examples.front() + "\n"));
  }
  EXPECT_THAT(page, HasSubstr("\n| `-b, --beam-size N` | "));
  EXPECT_THAT(page, HasSubstr("[training.md](training.md)"));
  const Columns columns(50);
  EXPECT_EQ(printed({"help", "--format", "markdown"}), page) << "depends on the width";
}

}  // namespace
}  // namespace tfm

#include "tfm/help/completions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "temporary_folder.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

HelpEntry option(const std::vector<std::string>& names, const std::string& value,
                 const std::vector<std::string>& choices = {}) {
  HelpEntry entry{.names = "", .text = "It's [one]. And two.", .fallback = ""};
  entry.options = names;
  entry.value = value;
  entry.choices = choices;
  return entry;
}

HelpPage page(const std::string& name, const std::vector<HelpEntry>& entries) {
  HelpPage page;
  page.name = name;
  page.summary = "Does it.";
  page.groups = {{"Options", entries}};
  return page;
}

std::string script(Shell shell) {
  HelpEntry file = option({}, "FILE");
  HelpEntry keys = option({}, "section.key=value...", {"training.seed=", "model.heads="});
  return completion_script(shell, page("tfm", {option({"-h", "--help"}, "")}),
                           {page("tfm train", {file, keys, option({"-c", "--config"}, "FILE"),
                                               option({"--precision"}, "NAME", {"fp32", "bf16"}),
                                               option({"--seed"}, "N"), option({"--dry-run"}, "")}),
                            page("tfm config check", {option({"-h", "--help"}, "")}),
                            page("tfm config init", {option({"--force"}, "")})});
}

/// Returns the completions that bash offers for the last word, in a folder with the file x.yaml.
std::vector<std::string> complete_in_bash(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  folder.write("tfm.bash", script(Shell::bash));
  folder.write("x.yaml", "");
  std::string array;
  for (const std::string& word : words) array += " '" + word + "'";
  folder.write("run.sh", "cd '" + folder.path().string() + "'; source tfm.bash; COMP_WORDS=(" +
                             array + "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                             "; _tfm; printf '%s\\n' \"${COMPREPLY[@]}\" > out");
  const std::string command = "bash '" + folder.path("run.sh").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::istringstream lines(folder.read("out"));
  std::vector<std::string> completions;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) completions.push_back(line);
  }
  return completions;
}

TEST(BashCompletion, CompletesCommandsAndGroups) {
  EXPECT_THAT(complete_in_bash({"tfm", ""}),
              UnorderedElementsAre("train", "config", "-h", "--help"));
  EXPECT_THAT(complete_in_bash({"tfm", "tr"}), ElementsAre("train"));
  EXPECT_THAT(complete_in_bash({"tfm", "config", ""}), UnorderedElementsAre("check", "init"));
}

TEST(BashCompletion, CompletesOptionsOfTheCommandOnly) {
  EXPECT_THAT(complete_in_bash({"tfm", "train", "--p"}), ElementsAre("--precision"));
  EXPECT_THAT(complete_in_bash({"tfm", "config", "init", "--"}), ElementsAre("--force"));
  EXPECT_THAT(complete_in_bash({"tfm", "-q", "config", "check", "--"}), ElementsAre("--help"));
}

TEST(BashCompletion, CompletesValuesFilesAndArguments) {
  EXPECT_THAT(complete_in_bash({"tfm", "train", "--precision", ""}), ElementsAre("fp32", "bf16"));
  EXPECT_THAT(complete_in_bash({"tfm", "train", "--precision", "=", "b"}), ElementsAre("bf16"));
  EXPECT_THAT(complete_in_bash({"tfm", "train", "-c", "x"}), ElementsAre("x.yaml"));
  EXPECT_THAT(complete_in_bash({"tfm", "train", "x"}), ElementsAre("x.yaml"));
  EXPECT_THAT(complete_in_bash({"tfm", "train", "--seed", ""}), testing::IsEmpty());
  EXPECT_THAT(complete_in_bash({"tfm", "train", "training.s"}), ElementsAre("training.seed="));
}

TEST(ZshCompletion, HasOneFunctionPerCommandAndQuotesTexts) {
  const std::string text = script(Shell::zsh);
  EXPECT_THAT(text, testing::StartsWith("#compdef tfm\n"));
  EXPECT_THAT(text, HasSubstr("_tfm_config_check() {\n"));
  EXPECT_THAT(text, HasSubstr("'*--config=[It'\\''s \\[one\\]]:FILE:_files'"));
  EXPECT_THAT(text, HasSubstr("'*-c+[It'\\''s"));
  EXPECT_THAT(text, HasSubstr("'*--dry-run[It'\\''s \\[one\\]]'"));
  EXPECT_THAT(text, HasSubstr(":NAME:(fp32 bf16)'"));
}

TEST(FishCompletion, OffersEachOptionOnlyAfterItsCommand) {
  const std::string text = script(Shell::fish);
  EXPECT_THAT(text, HasSubstr("complete -c tfm -n '__fish_seen_subcommand_from train' -l precision "
                              "-r -a 'fp32 bf16' -d 'It\\'s [one]'\n"));
  EXPECT_THAT(text, HasSubstr("-n '__fish_seen_subcommand_from train' -s c -l config -r -F -d "));
  EXPECT_THAT(text, HasSubstr("-n '__fish_seen_subcommand_from config; and "
                              "__fish_seen_subcommand_from init' -l force -d "));
}

// Each shell is run with -n, which checks the syntax of its script.
TEST(CompletionScript, HasValidSyntaxForEachInstalledShell) {
  const TemporaryFolder folder;
  for (const auto& [shell, name] :
       {std::pair{Shell::bash, "bash"}, {Shell::zsh, "zsh"}, {Shell::fish, "fish"}}) {
    folder.write("script", script(shell));
    const std::string program = name;
    if (std::system(("command -v " + program + " >/dev/null").c_str()) != 0) continue;
    const std::string command = program + " -n '" + folder.path("script").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
  }
}

}  // namespace
}  // namespace tfm

#include "tfm/help/completions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "temporary_folder.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

HelpEntry option(const std::vector<std::string>& names, const std::string& value,
                 const std::vector<std::string>& choices = {}) {
  HelpEntry entry{.names = "", .text = "It's [one], of Wu et al. 2016. And two.", .fallback = ""};
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
                                               option({"-m", "--model"}, "FOLDER"),
                                               option({"--precision"}, "NAME", {"fp32", "bf16"}),
                                               option({"--seed"}, "N"), option({"--dry-run"}, "")}),
                            page("tfm config check", {option({"-h", "--help"}, "")}),
                            page("tfm config init", {option({"--force"}, "")})});
}

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

/// Runs a script of the shell in a folder with the file x.yaml, the folder runs and the completion
/// script "tfm". Returns the lines of the file "out", which the script writes.
std::vector<std::string> lines_from(Shell shell, const std::string& program,
                                    const std::string& commands) {
  const TemporaryFolder folder;
  folder.write("tfm", script(shell));
  folder.write("x.yaml", "");
  std::filesystem::create_directory(folder.path("runs"));
  folder.write("run.sh", commands);
  const std::string command = "cd '" + folder.path().string() + "' && " + program + " run.sh";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::istringstream lines(folder.read("out"));
  std::vector<std::string> completions;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) completions.push_back(line);
  }
  return completions;
}

/// Returns the completions that bash offers for the last word.
std::vector<std::string> complete_in_bash(const std::vector<std::string>& words) {
  std::string array;
  for (const std::string& word : words) array += " '" + word + "'";
  return lines_from(Shell::bash, "bash",
                    "source ./tfm; COMP_WORDS=(" + array +
                        "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                        "; _tfm; printf '%s\\n' \"${COMPREPLY[@]}\" > out");
}

/// Returns the completions that fish offers for a command line, without their descriptions.
std::vector<std::string> complete_in_fish(const std::string& line) {
  return lines_from(Shell::fish, "env HOME=$PWD fish --no-config",
                    "source ./tfm; complete -C '" + line + "' | cut -f 1 > out");
}

/// Returns the completions that an interactive zsh offers for a command line, which must be some.
std::vector<std::string> complete_in_zsh(const std::string& line) {
  return lines_from(Shell::zsh, "zsh -f", R"(
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; autoload -Uz compinit; compinit -u -D; source ./tfm; LISTMAX=1000'
zpty -w z 'compadd() {
  local -a hits
  builtin compadd -O hits "$@"
  builtin compadd "$@"
  print -rl -- $hits >> all
}'
zpty -w z 'touch ready'
for ((i = 0; i < 600; ++i)) [[ -e ready ]] || sleep 0.1
zpty -w -n z ')" + line + R"('$'\t\C-a: > done #\n'
for ((i = 0; i < 600; ++i)) [[ -e done ]] || sleep 0.1
zpty -d z
sort -u all > out
)");
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
  EXPECT_THAT(text, HasSubstr("'*--config=[It'\\''s \\[one\\], of Wu et al. 2016]:FILE:_files'"));
  EXPECT_THAT(text, HasSubstr("'*-c+[It'\\''s"));
  EXPECT_THAT(text, HasSubstr("'*--dry-run[It'\\''s \\[one\\], of Wu et al. 2016]'"));
  EXPECT_THAT(text, HasSubstr(":NAME:(fp32 bf16)'"));
}

TEST(ZshCompletion, CompletesCommandsValuesFilesAndFolders) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is missing";
  EXPECT_THAT(complete_in_zsh("tfm tr"), ElementsAre("train"));
  EXPECT_THAT(complete_in_zsh("tfm config "), ElementsAre("check", "init"));
  EXPECT_THAT(complete_in_zsh("tfm train --precision "), ElementsAre("bf16", "fp32"));
  EXPECT_THAT(complete_in_zsh("tfm train -m "), ElementsAre("runs"));
  EXPECT_THAT(complete_in_zsh("tfm train -c x"), ElementsAre("x.yaml"));
  EXPECT_THAT(complete_in_zsh("tfm train training.s"), ElementsAre("training.seed="));
}

TEST(FishCompletion, CompletesCommandsValuesFilesAndFolders) {
  if (!is_installed("fish")) GTEST_SKIP() << "fish is missing";
  EXPECT_THAT(complete_in_fish("tfm tr"), ElementsAre("train"));
  EXPECT_THAT(complete_in_fish("tfm config "), UnorderedElementsAre("check", "init"));
  EXPECT_THAT(complete_in_fish("tfm train --precision "), UnorderedElementsAre("fp32", "bf16"));
  EXPECT_THAT(complete_in_fish("tfm train --seed "), testing::IsEmpty());
  EXPECT_THAT(complete_in_fish("tfm train -m "), ElementsAre("runs/"));
  EXPECT_THAT(complete_in_fish("tfm train -c x"), ElementsAre("x.yaml"));
  EXPECT_THAT(complete_in_fish("tfm train x"), ElementsAre("x.yaml"));
  EXPECT_THAT(complete_in_fish("tfm train training.s"), ElementsAre("training.seed="));
}

TEST(FishCompletion, OffersEachOptionOnlyAfterItsCommand) {
  const std::string text = script(Shell::fish);
  EXPECT_THAT(text, HasSubstr("complete -c tfm -n '__fish_seen_subcommand_from train' -l precision "
                              "-x -a 'fp32 bf16' -d 'It\\'s [one], of Wu et al. 2016'\n"));
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
    if (!is_installed(program)) continue;
    const std::string command = program + " -n '" + folder.path("script").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
  }
}

}  // namespace
}  // namespace tfm

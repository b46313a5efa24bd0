// Tests help and errors as a user sees them: exit code and message, and an empty stdout after an
// error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "program.h"
#include "terminal.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class Usage : public testing::Test {
 protected:
  Workplace place;

  void expect_failure(const std::string& arguments, int code, const std::string& message) const {
    const auto outcome = place.tfm(arguments);
    EXPECT_EQ(outcome.code, code) << arguments << "\n" << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
};

TEST_F(Usage, HelpListsCommandsAndOptions) {
  EXPECT_THAT(place.tfm("--help").out, HasSubstr("\nTranslate:\n  translate "));
  const auto help = place.tfm("translate --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("--normalize"));
  EXPECT_THAT(help.out, HasSubstr("length^alpha"));
  EXPECT_EQ(place.tfm("help translate").out, help.out);
}

TEST_F(Usage, HelpFitsTheTerminalAndHasBoldTitlesOnlyOnATerminal) {
  const auto shown_with = [&](const std::string& settings) {
    Terminal terminal(place, "evaluate --help", settings);
    return terminal.show_until("never printed");
  };
  const std::string shown = shown_with("");
  EXPECT_THAT(shown, HasSubstr("\033[1mUsage:\033[0m"));
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);) {
    if (line.find('\033') != std::string::npos) continue;
    EXPECT_LE(line.size(), 81U) << line;  // 80 columns and the carriage return
  }
  EXPECT_THAT(shown_with("NO_COLOR=1"), testing::Not(HasSubstr("\033")));
  EXPECT_THAT(place.tfm("evaluate --help").out, testing::Not(HasSubstr("\033")));
}

TEST_F(Usage, NamesTheValuesOfTheVariableForCpuFeatures) {
  const auto outcome = place.tfm("--version", "", "TFM_CPU_FEATURES=AVX2");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("TFM_CPU_FEATURES: 'AVX2' is not"));
  EXPECT_THAT(outcome.err, HasSubstr("default, avx2, avx512, vnni, amx"));
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Usage, ColorsErrorsOnATerminalUnlessNoColorIsSet) {
  const auto shown_with = [&](const std::string& settings) {
    Terminal terminal(place, "config check none.yaml", settings);
    return terminal.show_until("never printed");
  };
  EXPECT_THAT(shown_with(""), HasSubstr("\033["));
  EXPECT_THAT(shown_with("NO_COLOR=1"), testing::Not(HasSubstr("\033")));
}

TEST_F(Usage, BreaksLogLinesBetweenWordsOnATerminal) {
  Terminal terminal(place, "evaluate --hypothesis data/cafe/test.en --reference data/cafe/train.en",
                    "NO_COLOR=1");
  std::istringstream lines(terminal.show_until("never printed"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 81U) << line;
  EXPECT_GE(count, 2U);
}

TEST_F(Usage, VersionPrintsTheVersionOfTfmAndNamesLibTorch) {
  const auto version = place.tfm("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, testing::StartsWith("tfm " TFM_VERSION));
  EXPECT_THAT(version.out, HasSubstr("LibTorch"));
}

TEST_F(Usage, VersionNamesTheMallocThatTheLoaderFindsFirst) {
  const auto libraries = place.tfm("", "", "ldd").out;
  const auto first = libraries.find("tcmalloc");
  const bool tcmalloc = first < libraries.find("libc.so");
  EXPECT_THAT(place.tfm("--version").out,
              HasSubstr(tcmalloc ? "memory         tcmalloc" : "memory         the C library"));
}

/// As long as tcmalloc is not initialised, each allocation is slow (cmake/ThirdParty.cmake).
TEST_F(Usage, InitialisesTcmallocBeforeLibTorch) {
  const auto log = place.tfm("--version", "", "env LD_DEBUG=files").err;  // of the loader, in order
  const auto tcmalloc = log.find("libtcmalloc", log.find("calling init: "));
  const auto libtorch = log.find("libtorch_cpu", log.find("calling init: "));
  if (log.find("calling init: ") == log.npos || tcmalloc == log.npos)
    GTEST_SKIP() << "another loader, or the program does not use tcmalloc";
  EXPECT_LT(tcmalloc, libtorch);
}

TEST_F(Usage, ExplainsWrongUsage) {
  expect_failure("", 2, "needs a command");
  expect_failure("fly", 2, "'fly' is not a command of tfm");
  expect_failure("traim --config configs/toy.yaml", 2, "Did you mean `tfm train`?");
  expect_failure("train --confg configs/toy.yaml", 2, "Did you mean --config?");
  expect_failure("train", 2, "needs a config file");
  expect_failure("train configs/toy.yaml b.yaml", 2, "'b.yaml' has no '='");
  expect_failure("train data/cafe/train.de data/cafe/train.en", 2,
                 "data/cafe/train.de: is text, not a config\n  `tfm config init "
                 "data/cafe/train.de data/cafe/train.en -o my.yaml`");
  expect_failure("evaluate --hypothesis data/cafe/test.en --reference data/cafe/train.en", 1,
                 "has 250 lines, but data/cafe/train.en has 5008\n  Line i of one file must belong "
                 "to line i of the other: name the right files, or translate the source of the "
                 "reference again.");
  expect_failure("train data.train_source=none.de data.train_target=none.en", 1,
                 "data.train_source: none.de does not exist");
  expect_failure("score --source - --target -", 2, "standard input is given for several files");
  expect_failure("translate --beam-size", 2, "beam-size");
  expect_failure("export --format onnx -o out", 2, "--format");
  expect_failure("export --format ctranslate2 -m none -o out", 1, "none: is not a model folder");
  expect_failure("import --format huggingface none -o out", 1, "none: is not a folder");
  expect_failure("import --format huggingface none --vocab a.yml -o out", 2, "--vocab");
  expect_failure("import --format marian none.npz -o out", 2, "--vocab");
  expect_failure("import --format marian none.npz --vocab a.yml -o out", 1, "none.npz");
  expect_failure("translate --device gpu hallo", 2, "is not a device");
}

TEST_F(Usage, ImportChecksTheOutputFolderFirst) {
  std::filesystem::create_directory(place.folder.path("out"));
  place.folder.write("out/config.yaml", "");
  expect_failure("import --format huggingface none -o out", 1, "out: holds a model already");
  expect_failure("import --format marian none.npz --vocab a.yml -o out", 1,
                 "out: holds a model already");
}

TEST_F(Usage, ReportsAllConfigErrorsWithFileAndLine) {
  place.folder.write("bad.yaml",
                     "model:\n  hiden_size: 64\ntraining:\n  seed: many\n  batch_size: 0\n");
  const auto outcome = place.tfm("config check bad.yaml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bad.yaml:2"));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean 'model.hidden_size'"));
  EXPECT_THAT(outcome.err, HasSubstr("bad.yaml:4"));
  EXPECT_THAT(outcome.err, HasSubstr("bad.yaml:5"));
  expect_failure("train --config none.yaml", 2, "none.yaml");
  expect_failure("train --config configs/toy.yaml training.sead=3", 2, "training.seed");
}

TEST_F(Usage, ConfigCheckAcceptsEveryShippedConfig) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(TFM_SOURCE_DIR) / "configs")) {
    if (!entry.is_regular_file()) continue;
    const auto outcome = place.tfm("config check '" + entry.path().string() + "'");
    EXPECT_EQ(outcome.code, 0) << entry.path() << "\n" << outcome.err;
  }
}

TEST_F(Usage, ConfigExplainAcceptsFieldsAndSections) {
  EXPECT_THAT(place.tfm("config explain training.learning-rate").out, HasSubstr("learning_rate"));
  EXPECT_THAT(place.tfm("config explain training").out, HasSubstr("warmup_steps"));
  EXPECT_THAT(place.tfm("config schema").out, HasSubstr("\"$schema\""));
  expect_failure("config explain training.lerning_rate", 2, "training.learning_rate");
}

TEST_F(Usage, ReportsBadDataWithTheFileName) {
  place.folder.write("a.de", "eins\nzwei\n");
  place.folder.write("a.en", "one\n");
  place.folder.write("empty", "");
  const std::string train = "train --config configs/demo.yaml data.train_source=";
  expect_failure(train + "a.de data.train_target=a.en", 1, "a.de");
  expect_failure(train + "none.de data.train_target=a.en", 1, "none.de");
  expect_failure(train + "empty data.train_target=empty", 1, "empty");
  expect_failure("evaluate --hypothesis a.de --reference a.en", 1, "");
}

TEST_F(Usage, FailsIfResultsCannotBeWritten) {
  EXPECT_EQ(place.tfm("config schema >/dev/full").code, 1);
  EXPECT_EQ(
      place.tfm("evaluate --hypothesis data/toy/train.en --reference data/toy/train.en >/dev/full")
          .code,
      1);
  std::filesystem::create_directories(place.folder.path("folder"));
  expect_failure("evaluate --hypothesis data/toy/train.en --reference data/toy/train.en -o folder",
                 1, "folder");
}

TEST_F(Usage, ReportsAMissingModel) {
  expect_failure("translate hallo", 1, "no model");
  expect_failure("translate -m none hallo", 1, "none: is not a model folder");
  expect_failure("translate -i none.txt", 1, "none.txt");
  std::filesystem::create_directories(place.folder.path("hollow"));
  expect_failure("translate -m hollow hallo", 1, "holds no config.yaml");
  expect_failure("model info hollow", 1, "holds no config.yaml");
}

TEST_F(Usage, HelpAndVersionFailOnAFullDisk) {
  for (const std::string command : {"--help", "--version", "train --help", "help train"})
    EXPECT_EQ(place.tfm(command + " >/dev/full").code, 1) << command;
}

TEST_F(Usage, ConfigCheckRefusesConfigsThatTrainingRefuses) {
  place.folder.write("empty.yaml", "");
  place.folder.write("tag.yaml", "training: !!python/object {}\n");
  expect_failure("config check empty.yaml", 2, "no training data");
  expect_failure("config check tag.yaml", 2, "tag.yaml:1: 'tag:yaml.org,2002:python/object'");
  expect_failure("config check /dev/zero", 2, "/dev/zero: has more than 1.0 MB");
}

TEST_F(Usage, ConfigCheckWarnsAboutMissingFiles) {
  place.folder.write("a.yaml", "data: {train_source: none.de, train_target: none.en}\n");
  const auto outcome = place.tfm("config check a.yaml data.alignments=train=none.align");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("data.train_source: none.de does not exist"));
  EXPECT_THAT(outcome.err, HasSubstr("data.alignments: none.align does not exist"));
}

}  // namespace
}  // namespace tfm

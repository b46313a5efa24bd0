// Tests that tfm config init, with options or with answers on a terminal, writes a config that
// trains on the given parallel text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"
#include "terminal.h"

namespace tfm {
namespace {

using testing::HasSubstr;

const std::string cafe = "config init --source data/cafe/train.de --target data/cafe/train.en ";
const std::string cafe_validation =
    "--valid-source data/cafe/valid.de --valid-target data/cafe/valid.en ";

TEST(ConfigInit, WritesAConfigThatPassesTheCheckAndTrains) {
  const Workplace place;
  const auto init = place.tfm(cafe + cafe_validation + "-o my.yaml");
  ASSERT_EQ(init.code, 0) << init.err;
  EXPECT_EQ(init.out, "");
  EXPECT_THAT(init.err, HasSubstr("tfm train --config my.yaml --dry-run"));
  const auto check = place.tfm("config check my.yaml");
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("data/cafe/valid.en"));
  const auto dry_run = place.tfm("train --config my.yaml --dry-run training.threads=1");
  EXPECT_EQ(dry_run.code, 0) << dry_run.err;
  EXPECT_THAT(dry_run.out, HasSubstr("longest batch"));
}

TEST(ConfigInit, TrainsATinyCorpusWithoutAValidationSet) {
  const Workplace place;
  const auto init =
      place.tfm("config init --source data/toy/train.de --target data/toy/train.en > toy.yaml");
  ASSERT_EQ(init.code, 0) << init.err;
  const auto training = place.tfm(
      "train -q -c toy.yaml training.max_steps=60 training.warmup_steps=10 "
      "training.threads=1");
  EXPECT_EQ(training.code, 0) << training.err;
  EXPECT_EQ(place.tfm("translate -q -m runs/toy 'ich mochte ein bier'").code, 0);
}

TEST(ConfigInit, NeverReplacesAFileWithoutForce) {
  const Workplace place;
  place.folder.write("my.yaml", "mine");
  const auto refused = place.tfm(cafe + "-o my.yaml");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("my.yaml exists"));
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(place.folder.read("my.yaml"), "mine");
  EXPECT_EQ(place.tfm(cafe + "-o my.yaml --force").code, 0);
  EXPECT_THAT(place.folder.read("my.yaml"), HasSubstr("preset: tiny"));
}

TEST(ConfigInit, RejectsMissingOrUnusableFilesWithoutATerminal) {
  const Workplace place;
  const auto missing = place.tfm("config init --source data/cafe/train.de");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err,
              HasSubstr("--target: is required, too: the other side of data/cafe/train.de"));
  EXPECT_THAT(place.tfm("config init --target a.en").err, HasSubstr("--source: is required, too"));
  EXPECT_THAT(place.tfm("config init").err, HasSubstr("--source, --target: are required"));
  place.folder.write("short", "one\n");
  EXPECT_EQ(place.tfm("config init --source data/cafe/train.de --target short").code, 1);
  EXPECT_EQ(place.tfm("config init --source none.de --target short").code, 1);
  EXPECT_EQ(place.tfm(cafe + "--valid-source short").code, 2);
}

TEST(ConfigInit, AsksForTheFilesOnATerminal) {
  const Workplace place;
  Terminal terminal(place, "config init");
  EXPECT_THAT(terminal.show_until(": "), HasSubstr("Training data, source side"));
  terminal.answer("data/cafe/train.de\n");
  EXPECT_THAT(terminal.show_until("target side: "), HasSubstr("Training data"));
  terminal.answer("data/cafe/train.en\n");
  terminal.show_until("(empty for none): ");
  terminal.answer("\n");
  terminal.show_until("(empty to print it): ");
  terminal.answer("asked.yaml\n");
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_THAT(place.folder.read("asked.yaml"), HasSubstr("train_source: \"data/cafe/train.de\""));
}

TEST(ConfigInit, AsksAgainForAFileThatCannotBeRead) {
  const Workplace place;
  for (const char* name : {"train.de", "train.en"}) place.folder.write(name, "a\nb\n");
  place.folder.write("taken.yaml", "mine");
  Terminal terminal(place, "config init");
  terminal.show_until("(one sentence per line): ");
  terminal.answer("train.de\n");
  terminal.show_until("target side: ");
  terminal.answer("trian.en\n");
  EXPECT_THAT(terminal.show_until("target side: "),
              HasSubstr("trian.en can't be opened: No such file or directory. Did you mean "
                        "train.en?\r\nTraining data"));
  terminal.answer("train.en\n");
  terminal.show_until("(empty for none): ");
  terminal.answer("train.fr\n");
  EXPECT_THAT(terminal.show_until("(empty for none): "), HasSubstr("train.fr can't be opened"));
  terminal.answer("train.de\n");
  terminal.show_until("target side: ");
  terminal.answer("\n");
  EXPECT_THAT(terminal.show_until("target side: "),
              HasSubstr("a validation set has two sides; name the file, or stop with Ctrl-C"));
  terminal.answer("train.en\n");
  terminal.show_until("(empty to print it): ");
  terminal.answer("none/my.yaml\n");
  EXPECT_THAT(terminal.show_until("(empty to print it): "),
              HasSubstr("the folder none does not exist"));
  terminal.answer("taken.yaml\n");
  EXPECT_THAT(terminal.show_until("(empty to print it): "), HasSubstr("taken.yaml exists"));
  terminal.answer("my.yaml\n");
  EXPECT_THAT(terminal.show_until("never printed"), HasSubstr("are training text, too"));
  EXPECT_EQ(terminal.end(), 0);
}

TEST(ConfigInit, NamesTheMissingFolderOfItsOutput) {
  const Workplace place;
  const auto outcome = place.tfm(cafe + "-o none/my.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("none/my.yaml: can't be written: the folder none does not "
                                     "exist\n  Create it with mkdir -p"));
}

TEST(ConfigInit, WarnsIfTheTrainingTextIsTheValidationSet) {
  const Workplace place;
  const auto init =
      place.tfm(cafe +
                "--valid-source data/../data/cafe/train.de --valid-target data/cafe/train.en "
                "-o my.yaml");
  EXPECT_EQ(init.code, 0);
  EXPECT_THAT(init.err, HasSubstr("are training text, too"));
  EXPECT_THAT(place.tfm("config check my.yaml").err, HasSubstr("are training text, too"));
  EXPECT_THAT(place.tfm("train my.yaml training.threads=1 --dry-run").out,
              HasSubstr("5008 of 5008 validation pairs are also in the training text"));
}

}  // namespace
}  // namespace tfm

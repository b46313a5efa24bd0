// What a user sees when something is wrong: exit code, message, and nothing on stdout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

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

TEST_F(Usage, HelpBeginsWithAnExample) {
  for (const char* command :
       {"", "train ", "translate ", "score ", "evaluate ", "shortlist ", "export ", "import "}) {
    const auto help = place.tfm(std::string(command) + "--help");
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out.substr(0, 60), HasSubstr("Example")) << command;
  }
  EXPECT_THAT(place.tfm("translate --help").out, HasSubstr("--normalize"));
  EXPECT_THAT(place.tfm("translate --help").out, HasSubstr("length^alpha"));
  EXPECT_THAT(place.tfm("--version").out, HasSubstr("tfm "));
}

TEST_F(Usage, WrongUsageIsCodeTwo) {
  expect_failure("", 2, "subcommand");
  expect_failure("fly", 2, "fly");
  expect_failure("train", 2, "--config");
  expect_failure("translate --beam-size", 2, "beam-size");
  expect_failure("export --format onnx -o out", 2, "--format");
  expect_failure("export --format ctranslate2 -m none -o out", 1, "none: is not a model folder");
  expect_failure("import --format huggingface none -o out", 1, "none: is no folder");
  expect_failure("import --format huggingface none --vocab a.yml -o out", 2, "--vocab");
  expect_failure("import --format marian none.npz -o out", 2, "--vocab");
  expect_failure("import --format marian none.npz --vocab a.yml -o out", 1, "none.npz");
  expect_failure("translate --device gpu hallo", 2, "is not a device");
}

TEST_F(Usage, ImportLooksAtTheOutputFolderFirst) {
  std::filesystem::create_directory(place.folder.path("out"));
  place.folder.write("out/config.yaml", "");
  expect_failure("import --format huggingface none -o out", 1, "out: holds a model already");
  expect_failure("import --format marian none.npz --vocab a.yml -o out", 1,
                 "out: holds a model already");
}

TEST_F(Usage, ConfigFaultsAreCodeTwoAllAtOnceWithFileAndLine) {
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

TEST_F(Usage, EveryShippedConfigIsSound) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(TFM_SOURCE_DIR) / "configs")) {
    if (!entry.is_regular_file()) continue;
    const auto outcome = place.tfm("config check '" + entry.path().string() + "'");
    EXPECT_EQ(outcome.code, 0) << entry.path() << "\n" << outcome.err;
  }
}

TEST_F(Usage, ExplainsFields) {
  EXPECT_THAT(place.tfm("config explain training.learning-rate").out, HasSubstr("learning_rate"));
  EXPECT_THAT(place.tfm("config explain training").out, HasSubstr("warmup_steps"));
  EXPECT_THAT(place.tfm("config schema").out, HasSubstr("\"$schema\""));
  expect_failure("config explain training.lerning_rate", 2, "training.learning_rate");
}

TEST_F(Usage, BadDataIsCodeOneWithFileAndCounts) {
  place.folder.write("a.de", "eins\nzwei\n");
  place.folder.write("a.en", "one\n");
  place.folder.write("empty", "");
  const std::string train = "train --config configs/demo.yaml data.train_source=";
  expect_failure(train + "a.de data.train_target=a.en", 1, "a.de");
  expect_failure(train + "none.de data.train_target=a.en", 1, "none.de");
  expect_failure(train + "empty data.train_target=empty", 1, "empty");
  expect_failure("evaluate --hypothesis a.de --reference a.en", 1, "");
}

TEST_F(Usage, ResultsThatCantBeWrittenAreAnError) {
  EXPECT_EQ(place.tfm("config schema >/dev/full").code, 1);
  EXPECT_EQ(
      place.tfm("evaluate --hypothesis data/toy/train.en --reference data/toy/train.en >/dev/full")
          .code,
      1);
  std::filesystem::create_directories(place.folder.path("folder"));
  expect_failure("evaluate --hypothesis data/toy/train.en --reference data/toy/train.en -o folder",
                 1, "folder");
}

TEST_F(Usage, AMissingModelIsSaid) {
  expect_failure("translate hallo", 1, "no model");
  expect_failure("translate -m none hallo", 1, "none: is not a model folder");
  expect_failure("translate -i none.txt", 1, "none.txt");
  std::filesystem::create_directories(place.folder.path("hollow"));
  expect_failure("translate -m hollow hallo", 1, "holds no config.yaml");
}

}  // namespace
}  // namespace tfm

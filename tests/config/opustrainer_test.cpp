#include "tfm/config/opustrainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ReadOpusTrainer : public testing::Test {
 protected:
  OpusTrainerImport import(const std::string& yaml) const {
    return read_opustrainer(folder.write("train.yml", yaml));
  }

  std::string error(const std::string& yaml) const {
    try {
      import(yaml);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  }

  /// Returns the warnings without the name of the folder.
  std::vector<std::string> warnings(const std::string& yaml) const {
    auto found = import(yaml).warnings;
    for (std::string& warning : found) warning.erase(0, warning.find("train.yml:") + 10);
    return found;
  }

  std::string set(const std::string& name, const std::string& file) const {
    return name + "=" + folder.path(file).string();
  }

  TemporaryFolder folder;
};

/// The form of the example in OpusTrainer's README.
const std::string curriculum =
    "datasets:\n"
    "  clean: data/clean.gz\n"
    "  medium: ./data/medium\n"
    "  dirty: [data/dirty]\n"
    "stages:\n"
    "  - start\n"
    "  - end\n"
    "start:\n"
    "  - clean  0.8\n"
    "  - medium 0.2\n"
    "  - dirty  0\n"
    "  - until clean 2 # Until two epochs of clean\n"
    "end:\n"
    "  mix:\n"
    "  - clean 0.4\n"
    "  - dirty 0.6\n"
    "  - until dirty 5\n";
const std::string one_stage =
    "datasets: {clean: /data/clean}\n"
    "stages: [all]\n"
    "all: [clean 1, until clean inf]\n";

TEST_F(ReadOpusTrainer, ConvertsDatasetsStagesAndSeed) {
  const auto [config, warnings] = import(curriculum + "seed: 1111\ntrainer: /usr/bin/marian\n");
  EXPECT_THAT(warnings, IsEmpty());
  EXPECT_THAT(config.data.sets,
              ElementsAre(set("clean", "data/clean.gz"), set("medium", "data/medium"),
                          set("dirty", "data/dirty")));
  EXPECT_THAT(config.data.stages,
              ElementsAre("clean 0.8, medium 0.2 until clean 2", "dirty 0.6, clean 0.4"))
      << "an epoch of the last stage is a visit of its first set";
  EXPECT_EQ(config.training.seed, 1111);
  EXPECT_EQ(config.training.max_epochs, 7);
  EXPECT_EQ(config.training.max_steps, 0);
}

TEST_F(ReadOpusTrainer, ConvertsModifiers) {
  const auto [config, warnings] = import(one_stage +
                                         "modifiers:\n"
                                         "  - UpperCase: 0.05\n"
                                         "  - - TitleCase: 0.1\n"
                                         "    - RemoveEndPunct: 0.02\n"
                                         "  - Merge: 0.01\n"
                                         "    min_lines: 2\n"
                                         "    max_lines: 4\n"
                                         "  - Noise: 0.0005\n"
                                         "    max_words: 6\n"
                                         "  - Typos: 0.05\n"
                                         "  - Prefix: 0.5\n"
                                         "    template: \"__start__ {trg} __end__ \"\n");
  EXPECT_THAT(warnings, IsEmpty());
  EXPECT_THAT(config.data.modifiers,
              ElementsAre("upper_case=0.05", "title_case=0.1", "remove_punctuation=0.02",
                          "merge=0.01", "noise=0.0005", "typos=0.05", "prefix=0.5"));
  EXPECT_TRUE(config.tokenizer.byte_fallback) << "noise needs it";
  EXPECT_EQ(config.training.max_epochs, 0) << "the only stage has no end";
  EXPECT_EQ(config.training.max_steps, Config().training.max_steps);
}

TEST_F(ReadOpusTrainer, WarnsOfWhatTfmDoesNotHave) {
  EXPECT_THAT(
      warnings("datasets: {clean: a, many: [b, c]}\n"
               "stages: [one, two]\n"
               "one:\n"
               "  mix: [clean 1, until clean inf]\n"
               "  modifiers:\n"
               "    - UpperCase: 1\n"
               "two: [many 1, until many 1]\n"
               "modifiers:\n"
               "  - Shuffle: 0.1\n"
               "    window: 3\n"
               "  - Typos: 0.1\n"
               "    char_swap: 0.2\n"
               "    unichar: 0.2\n"
               "  - Merge: 0.1\n"
               "    max_lines: 9\n"
               "  - Merge: 0.2\n"
               "num_fields: 3\n"
               "numfields: 3\n"),
      ElementsAre(
          "1: the dataset many has 2 files, of which data.sets has the first; concatenate "
          "them",
          "6: the stage one has modifiers of its own, but data.modifiers is the same in all "
          "stages",
          "2: the stage two is never reached, because the stage before it has no end",
          "9: tfm has no modifier like Shuffle; it is left out",
          "12: tfm's typos has no such options: char_swap, unichar; they are left out",
          "15: in tfm's merge, max_lines is always '4'",
          "16: Merge is given twice; the first counts",
          "17: tfm skips lines with more than two fields; cut the first two with cut -f 1,2",
          "18: numfields is left out: it is neither a stage nor known"));
}

TEST_F(ReadOpusTrainer, ConvertsTagsToModifiersWithAlignments) {
  const auto [config, warnings] = import(one_stage +
                                         "modifiers:\n"
                                         "  - Tags: 0.1\n"
                                         "    augment: 0.3\n"
                                         "    replace: 0.2\n"
                                         "    template: \"<s> {src} <t> {trg} </t>\"\n"
                                         "  - Typos: 0.05\n");
  EXPECT_THAT(config.data.modifiers,
              ElementsAre("typos=0.05", "terms=0.05", "random_terms=0.02", "inline_noise=0.03"));
  EXPECT_THAT(config.data.alignments, ElementsAre(config.data.sets.front()));
  EXPECT_EQ(config.data.term_template, "<s> {src} <t> {trg} </t>");
  EXPECT_TRUE(config.tokenizer.byte_fallback);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("train.yml:5: the probability of Tags is that of a"),
                                    HasSubstr("train.yml:9: tfm's typos come before")));
}

TEST_F(ReadOpusTrainer, WarnsOfOptionsOfTagsThatTfmDoesNotHave) {
  const std::string old_form = one_stage +
                               "modifiers:\n"
                               "  - Tags: 0.1\n"
                               "    num_tags: 6\n"
                               "    custom_detok_src: \"moses:zh\"\n"
                               "    spm_vocab: vocab.spm\n"
                               "    template: \" <tag{n}> {token} </tag{n}>\"\n";
  EXPECT_THAT(warnings(old_form),
              ElementsAre(HasSubstr("6: num_tags is left out"),
                          HasSubstr("7: custom_detok_src is left out"),
                          HasSubstr("9: ' <tag{n}> {token} </tag{n}>' can't be"),
                          HasSubstr("5: the prob")));
  const auto config = import(old_form).config;
  EXPECT_THAT(config.data.modifiers, ElementsAre("terms=0.1"));
  EXPECT_EQ(config.data.term_template, Config().data.term_template);
  EXPECT_FALSE(config.tokenizer.byte_fallback) << "terms writes no noise";
}

TEST_F(ReadOpusTrainer, TagsWithoutProbabilityNeedsNoAlignments) {
  const auto config = import(one_stage + "modifiers: [Tags: 0]\n").config;
  EXPECT_THAT(config.data.modifiers, IsEmpty());
  EXPECT_THAT(config.data.alignments, IsEmpty());
}

TEST_F(ReadOpusTrainer, NamesTheLineOfAnError) {
  EXPECT_THAT(error("model: {heads: 8}\n"),
              HasSubstr("train.yml:1: is not a config of OpusTrainer"));
  EXPECT_THAT(error("- a\n"), HasSubstr("is not a config of OpusTrainer"));
  EXPECT_THAT(error("datasets: {a: b}\nstages: [one]\n"),
              HasSubstr("train.yml:2: the stage one is not described"));
  EXPECT_THAT(error("datasets: {a: b}\nstages: [one]\none:\n  - a 1\n"),
              HasSubstr("the stage one has no until"));
  EXPECT_THAT(error("datasets: {a: b}\nstages: [one]\none:\n  - c 1\n"),
              HasSubstr("train.yml:4: there is no dataset c"));
  EXPECT_THAT(error("datasets: {a: b}\nstages: [one]\none:\n  - a one\n"),
              HasSubstr("train.yml:4: 'a one' is neither DATASET WEIGHT nor until"));
  EXPECT_THAT(error("datasets: {a: b}\nstages: [one]\none:\n  - a 1\n  - until a 0.5\n"),
              HasSubstr("train.yml:5: 'until a 0.5' has no whole number of epochs"));
  EXPECT_THAT(error("datasets: {a: b}\nstages: [one]\none:\n  - a 0\n  - until a 1\n"),
              HasSubstr("lasts until a, which it does not draw from"));
  EXPECT_THAT(error("datasets: {a b: b}\nstages: [one]\none: [a 1, until a 1]\n"),
              HasSubstr("train.yml:1: 'a b="));
  EXPECT_THAT(error("datasets: {a: {b: c}}\nstages: [one]\n"), HasSubstr("a dataset has no file"));
  EXPECT_THAT(error(one_stage + "seed: x\n"), HasSubstr("train.yml:4: seed is not a whole number"));
  EXPECT_THAT(error(one_stage + "modifiers: [UpperCase]\n"),
              HasSubstr("train.yml:4: a modifier has no probability"));
  EXPECT_THAT(error(one_stage + "modifiers: [UpperCase: 2]\n"),
              HasSubstr("the probability of UpperCase is not from 0 to 1"));
  EXPECT_THAT(error(one_stage + "modifiers: [{Tags: 0.1, augment: 2}]\n"),
              HasSubstr("train.yml:4: the probability of Tags' augment is not from 0 to 1"));
  EXPECT_THAT(error("a: [\n"), HasSubstr("not valid YAML"));
}

TEST_F(ReadOpusTrainer, WritesAConfigThatReadsBack) {
  const auto read =
      import(curriculum + "seed: 5\nmodifiers: [Noise: 0.001, Typos: 0.1, Tags: 0.2]\n");
  const auto yaml = write_opustrainer_import(read, folder.path("train.yml"));
  EXPECT_EQ(parse_config(yaml, "written"), read.config) << yaml;
  EXPECT_THAT(yaml, HasSubstr("of OpusTrainer"));
}

}  // namespace
}  // namespace tfm

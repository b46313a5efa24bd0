#include "tfm/config/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

// Parses the text and the overrides, and returns the message of the ConfigError that is thrown.
std::string config_error(std::string_view yaml, const std::vector<std::string>& overrides = {}) {
  try {
    parse_config(yaml, "a.yaml", overrides);
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "no error";
}

TEST(ParseConfig, UsesDefaultsForMissingKeys) {
  EXPECT_EQ(parse_config("", "a.yaml"), Config());
  EXPECT_EQ(parse_config("# nothing yet\n", "a.yaml"), Config());
  EXPECT_EQ(parse_config("model:\ntraining: {}\n", "a.yaml"), Config());
}

TEST(ParseConfig, ReadsNumbersBooleansChoicesAndTexts) {
  const Config config = parse_config(
      "model:\n  heads: 4\n  dropout: 2e-1\n  bias: false\n  norm: rms_norm\n"
      "data: {train_source: 'a: b.de', train_target: b.en}\n",
      "a.yaml");
  EXPECT_EQ(config.model.heads, 4);
  EXPECT_EQ(config.model.dropout, 0.2);
  EXPECT_FALSE(config.model.bias);
  EXPECT_EQ(config.model.norm, Norm::rms_norm);
  EXPECT_EQ(config.data.train_source, "a: b.de");
}

TEST(WithOverrides, ChangesOnlyTheFieldsOfTheOverrides) {
  Config config;
  config.model.heads = 4;
  const auto changed =
      with_overrides(config, {"decoding.beam_size=7", "decoding.length-penalty=0.5"});
  config.decoding.beam_size = 7;
  config.decoding.length_penalty = 0.5;
  EXPECT_EQ(changed, config);
  EXPECT_EQ(with_overrides(config, {}), config);
}

TEST(WithOverrides, RejectsUnknownKeysBadValuesAndBrokenRules) {
  for (const std::string wrong :
       {"decoding.beam_sise=4", "decoding.beam_size=many", "decoding.n_best=100"}) {
    const std::string key = wrong.substr(0, wrong.find('='));
    EXPECT_THAT([&] { with_overrides({}, {wrong}); },
                testing::ThrowsMessage<ConfigError>(HasSubstr(key)));
  }
}

TEST(ParseConfig, NamesTheLineOfAnUnknownKeyAndTheNearestKey) {
  EXPECT_EQ(config_error("training:\n  sead: 3\n"),
            "a.yaml:2: unknown key 'training.sead'; did you mean 'training.seed'?");
}

TEST(ParseConfig, SuggestsTheNearestNameForAnUnknownSection) {
  EXPECT_EQ(config_error("trainning:\n  seed: 3\n"),
            "a.yaml:1: unknown section 'trainning'; did you mean 'training'?");
  EXPECT_EQ(config_error("seed: 3\n"),
            "a.yaml:1: unknown section 'seed'; did you mean 'training.seed'?");
  EXPECT_THAT(config_error("xylophone: 3\n"),
              HasSubstr("the sections are model, tokenizer, data, training and decoding"));
}

TEST(ParseConfig, RejectsAWrongTypeAndAValueOutOfRange) {
  EXPECT_EQ(config_error("training:\n  seed: 1\n  batch_size: many\n"),
            "a.yaml:3: training.batch_size must be auto or a whole number, not 'many'");
  EXPECT_EQ(config_error("\nmodel:\n  heads: 0\n"),
            "a.yaml:3: model.heads must be between 1 and 1024, not 0");
}

TEST(ParseConfig, ReadsAListFromYamlAndFromAnOverride) {
  const std::vector<std::string> sets{"news=n.de,n.en", "talks=t.tsv"};
  const std::string base = "data:\n  valid_source: a\n  valid_target: b\n  valid_sets: ";
  EXPECT_EQ(parse_config(base + "[\"news=n.de,n.en\", talks=t.tsv]\n", "a.yaml").data.valid_sets,
            sets);
  EXPECT_EQ(
      parse_config(base + "\n    - news=n.de,n.en\n    - talks=t.tsv\n", "a.yaml").data.valid_sets,
      sets);
  EXPECT_EQ(parse_config(base + "[]\n", "a.yaml", {"data.valid_sets=news=n.de,n.en; talks=t.tsv"})
                .data.valid_sets,
            sets);
  EXPECT_EQ(config_error(base + "[[news]]\n"),
            "a.yaml:4: data.valid_sets takes a list of texts without ';'");
  EXPECT_EQ(config_error(base + "{news: n.tsv}\n"),
            "a.yaml:4: data.valid_sets takes a list, but this is a mapping; write '- ' before each "
            "entry, and '=' instead of ': '");
  EXPECT_EQ(config_error(base + "[news: n.tsv]\n"),
            "a.yaml:4: data.valid_sets takes a list of texts, but this entry is a mapping; write "
            "'=' instead of ': ', or use quotes");
}

TEST(ParseConfig, RejectsAListForAFieldWithOneValue) {
  EXPECT_EQ(config_error("training:\n  seed: [1, 2]\n"),
            "a.yaml:2: training.seed takes one value, but this is a list");
  EXPECT_EQ(config_error("training:\n  seed: {a: 1}\n"),
            "a.yaml:2: training.seed takes one value, but this is a mapping");
}

TEST(ParseConfig, SaysThatADataFieldTakesOneFile) {
  const std::string problem = "data.train_source takes one file, but this is a list; concatenate";
  EXPECT_THAT(config_error("data:\n  train_source: [a, b]\n"), HasSubstr("a.yaml:2: " + problem));
  EXPECT_THAT(
      message_of<ConfigError>([] { parse_config("", "a.yaml", {"data.train_source=[a, b]"}); }),
      HasSubstr("command line: " + problem));
}

TEST(ParseConfig, SortsErrorsByLineAndGivesTheLineOfARule) {
  EXPECT_EQ(config_error("training:\n  max_steps: 1k\n  sead: 1\n  average_checkpoints: 9\n"
                         "src: a\n"),
            "a.yaml:2: training.max_steps must be auto or a whole number, not '1k'; write 1000\n"
            "a.yaml:3: unknown key 'training.sead'; did you mean 'training.seed'?\n"
            "a.yaml:4: training.average_checkpoints, training.keep_checkpoints: cannot average 9 "
            "checkpoints, because only 2 are kept; raise keep_checkpoints\n"
            "a.yaml:5: unknown section 'src'; 'src' of Eole and OpenNMT-py is data.train_source in "
            "tfm");
}

TEST(ParseConfig, RejectsAKeyWithoutAValue) {
  EXPECT_EQ(config_error("training:\n  seed:\n"),
            "a.yaml:2: training.seed has no value; give it one or delete the line");
}

TEST(ParseConfig, RejectsARepeatedKey) {
  EXPECT_EQ(config_error("training:\n  seed: 1\n  seed: 2\n"),
            "a.yaml:3: 'training.seed' is given twice, first in line 2; delete one");
  EXPECT_THAT(config_error("training:\n  log-every: 1\n  log_every: 2\n"),
              HasSubstr("a.yaml:3: 'training.log_every' is given twice"));
  EXPECT_EQ(config_error("training:\n  seed: 1\ntraining:\n  seed: 2\n"),
            "a.yaml:3: 'training' is given twice, first in line 1; delete one");
}

TEST(ParseConfig, RejectsASectionThatIsNotAMapping) {
  EXPECT_EQ(
      config_error("training: 3\n"),
      "a.yaml:1: section 'training' must contain 'key: value' lines, but this is a single value");
  EXPECT_EQ(config_error("training:\n  - seed\n"),
            "a.yaml:2: section 'training' must contain 'key: value' lines, but this is a list");
  EXPECT_THAT(config_error("- training\n"), HasSubstr("this is a list"));
}

TEST(ParseConfig, RejectsASecondDocument) {
  EXPECT_THAT(config_error("model:\n  heads: 4\n---\nmodel:\n  heads: 2\n"),
              HasSubstr("a.yaml:3: the config ends before this line"));
}

TEST(ParseConfig, RejectsTextThatMakesYamlLoadAllLoopForever) {
  EXPECT_THAT(config_error("  bias: false\n , the model\n# a note\nmodel:\n  heads: 4\n"),
              HasSubstr("a.yaml:"));
}

TEST(ParseConfig, NamesTheLineOfASyntaxError) {
  EXPECT_THAT(config_error("training:\n  seed: 1\n  device: \"cpu\n"), HasSubstr("a.yaml:"));
  EXPECT_THAT(config_error("training:\n  seed: 1\n bad: [1\n"),
              testing::StartsWith("a.yaml:3: not valid YAML: "));
}

TEST(ParseConfig, ReportsAViolatedRuleAboutSeveralFields) {
  EXPECT_THAT(
      config_error("model:\n  hidden_size: 100\n"),
      testing::StartsWith("a.yaml:2: model.hidden_size, model.heads: 100 is not a multiple of 8"));
}

TEST(ParseConfig, ReportsAllErrorsTogether) {
  const std::string message =
      config_error("training:\n  sead: 3\n  batch_size: 0\ntrainning: {}\ndecoding:\n  n_best: 9\n",
                   {"model.heads=x", "seed=3", "oops"});
  EXPECT_EQ(message,
            "a.yaml:2: unknown key 'training.sead'; did you mean 'training.seed'?\n"
            "a.yaml:3: training.batch_size must be auto or at least 1, not 0\n"
            "a.yaml:4: unknown section 'trainning'; did you mean 'training'?\n"
            "a.yaml:6: decoding.n_best, decoding.beam_size: a beam of 4 cannot give 9 "
            "translations; raise beam_size or lower n_best\n"
            "command line: unknown key 'seed'; did you mean 'training.seed'?\n"
            "command line: 'oops' has no '='; write section.key=value, such as training.seed=3\n"
            "command line: model.heads must be a whole number, not 'x'");
}

TEST(ParseConfig, SkipsRulesAboutFieldsWithUnreadableValues) {
  EXPECT_THAT(config_error("model:\n  hidden_size: 100\n  haeds: 10\n"),
              Not(HasSubstr("not a multiple")));
  EXPECT_THAT(config_error("model:\n  hidden_size: 100\n  heads: ten\n"),
              Not(HasSubstr("not a multiple")));
  EXPECT_THAT(config_error("model:\n  hidden_size: 100\n  dropout: ten\n"),
              HasSubstr("not a multiple"));
}

TEST(ParseConfig, OverridesTakePrecedenceOverTheFile) {
  const Config config =
      parse_config("training:\n  seed: 1\n", "a.yaml",
                   {"training.seed=7", "training.batch-size=100", "training.seed=8"});
  EXPECT_EQ(config.training.seed, 8) << "the last override counts";
  EXPECT_EQ(config.training.batch_size, 100);
}

TEST(ParseConfig, ReadsTheTextOfAnOverrideLiterally) {
  const Config config =
      parse_config("", "a.yaml", {"training.run_folder=a=b # c", "tokenizer.kind=word"});
  EXPECT_EQ(config.training.run_folder, "a=b # c");
  EXPECT_EQ(parse_config("training:\n  run_folder: x\n", "a.yaml", {"training.run_folder="})
                .training.run_folder,
            "");
}

TEST(ParseConfig, RejectsAnOverrideWithoutEqualsSign) {
  EXPECT_EQ(config_error("", {"training.seed"}),
            "command line: 'training.seed' has no '='; write section.key=value, such as "
            "training.seed=3");
}

TEST(ParseConfig, SuggestsTheSectionThatAnOverrideOmits) {
  EXPECT_EQ(config_error("", {"seed=3"}),
            "command line: unknown key 'seed'; did you mean 'training.seed'?");
}

TEST(ParseConfig, KeysOverrideThePresetInAnyOrder) {
  const Config config = parse_config("model:\n  heads: 2\n  preset: tiny\n", "a.yaml");
  EXPECT_EQ(config.model.heads, 2);
  EXPECT_EQ(config.model.hidden_size, 128);
}

TEST(ParseConfig, APresetOverrideReplacesThePresetOfTheFile) {
  const Config config =
      parse_config("model:\n  preset: tiny\n  dropout: 0.5\n", "a.yaml", {"model.preset=big"});
  EXPECT_EQ(config.model.hidden_size, 1024);
  EXPECT_EQ(config.model.dropout, 0.5);
  EXPECT_EQ(
      parse_config("model:\n  preset: tiny\n", "a.yaml", {"model.preset=none"}).model.hidden_size,
      ModelConfig().hidden_size);
}

TEST(ParseConfig, ReportsAnUnknownPresetOnce) {
  EXPECT_EQ(config_error("model:\n  preset: huge\n"),
            "a.yaml:2: model.preset must be "
            "none, tiny, base or big, not 'huge'");
}

TEST(LoadConfig, ReadsAFileAndNamesItInErrors) {
  const std::string file = testing::TempDir() + "config_file_test.yaml";
  std::ofstream(file) << "training:\r\n  seed: 5\r\n";
  EXPECT_EQ(load_config(file, {"model.heads=4"}).training.seed, 5);
  std::ofstream(file) << "training:\n  sead: 5\n";
  EXPECT_THROW(
      {
        try {
          load_config(file);
        } catch (const ConfigError& error) {
          EXPECT_THAT(error.what(), testing::StartsWith(file + ":2: unknown key"));
          throw;
        }
      },
      ConfigError);
  std::filesystem::remove(file);
}

TEST(LoadConfig, RejectsAMissingFileAndAFolder) {
  EXPECT_THROW(load_config(testing::TempDir() + "no/such.yaml"), ConfigError);
  EXPECT_THROW(load_config(testing::TempDir()), ConfigError);
}

TEST(LoadConfig, SaysThatTrainingTextIsNotAConfig) {
  TemporaryFolder folder;
  const auto text = folder.write("train.de", "Ein Mann: er geht.\nZwei Hunde.\nDrei: vier: f\n");
  EXPECT_EQ(message_of<ConfigError>([&] { load_config(text, {"train.en", "training.seed=1"}); }),
            text.string() + ": is text, not a config\n  `tfm config init " + text.string() +
                " train.en -o my.yaml` writes a config for it, which `tfm train my.yaml` takes.");
  EXPECT_THAT(message_of<ConfigError>([&] { load_config(text); }),
              HasSubstr("`tfm config init SOURCE TARGET -o my.yaml` writes a config"));
  const auto large = folder.write("large", std::string(1'100'000, 'a'));
  EXPECT_THAT(message_of<ConfigError>([&] { load_config(large, {"train.en"}); }),
              HasSubstr("is text, not a config"));
}

TEST(LoadConfig, ReportsTheLineOfAnErrorInAConfig) {
  TemporaryFolder folder;
  const auto file = folder.write("a.yaml",
                                 "# my config: a: b\n\ntraining:\n  seed: 1\n seeed: 2\ndata:\n"
                                 "  valid_sets:\n    - a=b\n    - c=d\n    - e=f\n    - g=h\n");
  EXPECT_THAT(message_of<ConfigError>([&] { load_config(file); }),
              HasSubstr("a.yaml:5: not valid YAML"));
}

TEST(LoadConfig, SuggestsTheFileWithTheNearestName) {
  TemporaryFolder folder;
  folder.write("my.yaml", "");
  EXPECT_EQ(message_of<ConfigError>([&] { load_config(folder.path("my.yml")); }),
            folder.path("my.yml").string() +
                ": can't be opened: No such file or directory\n  Did you mean " +
                folder.path("my.yaml").string() + "?");
}

TEST(ReadDecoding, ReturnsTheDecodingFieldsOfTheFile) {
  TemporaryFolder folder;
  folder.write("search.yaml",
               "model: {heads: 2}\ndecoding:\n  beam-size: 3\n  forced_phrases: [a b, c]\n");
  EXPECT_EQ(read_decoding(folder.path("search.yaml")),
            (std::vector<std::string>{"decoding.beam_size=3", "decoding.forced_phrases=a b; c"}));
}

TEST(ReadDecoding, ReportsUnknownKeysAndWrongValues) {
  TemporaryFolder folder;
  folder.write("search.yaml", "decoding:\n  beam_sise: 3\n  n_best: 0\n");
  const auto message = message_of<ConfigError>([&] { read_decoding(folder.path("search.yaml")); });
  EXPECT_NE(message.find("search.yaml:2: unknown key 'decoding.beam_sise'"), std::string::npos);
  EXPECT_NE(message.find("search.yaml:3: decoding.n_best"), std::string::npos);
}

}  // namespace
}  // namespace tfm

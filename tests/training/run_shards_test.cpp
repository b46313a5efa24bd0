// Training from shards equals training from memory, bit for bit.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "captured_log.h"
#include "run_fixture.h"
#include "tfm/core/error.h"
#include "tfm/data/shard_folder.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/prepare_data.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

class RunFromShards : public Run {
 protected:
  void use_shards() { config.data.cache = folder.path("cache"); }

  /// Trains in a new folder, from memory or from shards, and returns the last weights.
  StateDict train_new(bool from_shards) {
    std::filesystem::remove_all(folder.path("run"));
    config.data.cache = from_shards ? folder.path("cache").string() : "none";
    go();
    return last_weights();
  }

  static void expect_equal(const StateDict& found, const StateDict& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, tensor] : expected) EXPECT_TRUE(tensor.equal(found.at(name))) << name;
  }
};

TEST_F(RunFromShards, LearnsTheWeightsOfARunFromMemory) {
  const auto expected = train_new(/*from_shards=*/false);
  expect_equal(train_new(/*from_shards=*/true), expected);
  EXPECT_FALSE(std::filesystem::is_empty(folder.path("cache")));
  expect_equal(train_new(/*from_shards=*/true), expected);
}

TEST_F(RunFromShards, TrainsInBothDirections) {
  config.data.bidirectional = true;
  config.tokenizer.joint = true;
  const auto expected = train_new(/*from_shards=*/false);
  expect_equal(train_new(/*from_shards=*/true), expected);
}

TEST_F(RunFromShards, ContinuesARunFromMemoryAndTheOtherWayRound) {
  const auto expected = train_new(/*from_shards=*/false);
  for (const bool first_from_shards : {false, true}) {
    config.training.max_steps = 7;
    train_new(first_from_shards);
    config.training.max_steps = 12;
    config.data.cache = first_from_shards ? "none" : folder.path("cache").string();
    const CapturedLog log;
    go(/*resume=*/true);
    EXPECT_THAT(log.text(), Not(HasSubstr("its batches changed")))
        << "the fingerprints are the same";
    expect_equal(last_weights(), expected);
  }
}

TEST_F(RunFromShards, BeginsANewEpochIfTheTextChanged) {
  use_shards();
  config.training.max_steps = 7;
  go();
  config.training.max_steps = 12;
  write_file(config.data.train_source, made_up_text('b', 40));
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("the training data or its batches changed"));
}

TEST_F(RunFromShards, ReportsWhatTheTextContains) {
  const auto lines = read_file(config.data.train_source);
  write_file(config.data.train_source, "\n" + lines.substr(lines.find('\n') + 1));
  const auto record = [&] {
    return nlohmann::json::parse(read_file(folder.path("run/report.json")));
  };
  train_new(/*from_shards=*/false);
  const auto expected = record().at("training_text");
  const CapturedLog log;
  train_new(/*from_shards=*/true);
  EXPECT_EQ(record().at("training_text"), expected);
  EXPECT_THAT(log.text(),
              testing::AllOf(HasSubstr("training text: 1 pair skipped: empty side"),
                             HasSubstr("9 of 10 validation pairs are also in the training text")));
}

TEST_F(RunFromShards, KeepsTheVocabularyForLaterRuns) {
  const auto hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  const auto settle = [&] {
    std::filesystem::last_write_time(config.data.train_source, hour_ago);
    std::filesystem::last_write_time(config.data.train_target, hour_ago);
  };
  settle();
  const auto expected = train_new(/*from_shards=*/true);
  {
    const CapturedLog log;
    expect_equal(train_new(/*from_shards=*/true), expected);
    EXPECT_THAT(log.text(), testing::AllOf(HasSubstr("the vocabulary is that of"),
                                           Not(HasSubstr("learning the vocabulary"))));
  }
  config.tokenizer.min_count = 2;
  write_file(config.data.train_source, made_up_text('b', 40));
  settle();
  const CapturedLog log;
  train_new(/*from_shards=*/true);
  EXPECT_THAT(log.text(), HasSubstr("learning the vocabulary"));
}

TEST_F(RunFromShards, FindsWhatWasPreparedAhead) {
  EXPECT_TRUE(prepare_data(config).folder.empty()) << "small text stays in memory";
  use_shards();
  const auto prepared = prepare_data(config);
  EXPECT_EQ(prepared.folder, folder.path("cache"));
  EXPECT_EQ(prepared.pairs, 40);
  EXPECT_EQ(prepared.source_tokens, 153);
  const auto hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& file : {config.data.train_source, config.data.train_target})
    std::filesystem::last_write_time(file, hour_ago);
  prepare_data(config);
  const CapturedLog log;
  go();
  EXPECT_THAT(log.text(), Not(HasSubstr("preparing the training data")));
}

/// Names the training data as one set of `count` that have the same text.
void use_sets(const TemporaryFolder& folder, Config& config, int count) {
  for (int i = 0; i < count; ++i)
    config.data.sets.push_back(
        fmt::format("s{}={},{}", i, config.data.train_source, config.data.train_target));
  config.data.train_source.clear();
  config.data.train_target.clear();
  config.data.cache = folder.path("cache");
}

TEST_F(RunFromShards, LearnsTheSameFromOneSetAsFromItsFiles) {
  const auto expected = train_new(/*from_shards=*/true);
  use_sets(folder, config, 1);
  expect_equal(train_new(/*from_shards=*/true), expected);
}

TEST_F(RunFromShards, ResumesAMixtureExactly) {
  use_sets(folder, config, 3);
  config.data.stages = {"s0 1, s1 0.5 until s0 1", "s2 1, s1 0.3"};
  const auto expected = train_new(/*from_shards=*/true);
  for (const std::int64_t stop : {3, 5, 9}) {
    config.training.max_steps = stop;
    train_new(/*from_shards=*/true);
    config.training.max_steps = 12;
    go(/*resume=*/true);
    expect_equal(last_weights(), expected);
  }
}

TEST_F(RunFromShards, AnotherMixtureBeginsANewEpoch) {
  use_sets(folder, config, 2);
  config.training.max_steps = 7;
  go();
  config.training.max_steps = 12;
  config.data.stages = {"s0 1, s1 0.5"};
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("the training data or its batches changed"));
}

TEST_F(RunFromShards, WeightsOfOneChangeNothing) {
  const auto expected = train_new(/*from_shards=*/false);
  std::string ones;
  for (int i = 0; i < 40; ++i) ones += "1\n";
  config.data.weights = {"train=" + folder.write("ones", ones).string()};
  for (const bool from_shards : {false, true}) expect_equal(train_new(from_shards), expected);
}

TEST_F(RunFromShards, LearnsAsMuchFromAPairAsItsWeightSays) {
  std::string weights;
  for (int i = 0; i < 40; ++i) weights += fmt::format("{}\n", i % 4);
  config.data.weights = {"train=" + folder.write("weights", weights).string()};
  const auto expected = train_new(/*from_shards=*/false);
  expect_equal(train_new(/*from_shards=*/true), expected);
  config.data.weights.clear();
  const auto others = train_new(/*from_shards=*/false);
  bool differs = false;
  for (const auto& [name, tensor] : expected) differs = differs || !tensor.equal(others.at(name));
  EXPECT_TRUE(differs);
}

TEST_F(RunFromShards, OtherWeightsBeginANewEpoch) {
  use_sets(folder, config, 2);
  const auto weigh = [&](const char* last) {
    std::string lines;
    for (int i = 0; i < 39; ++i) lines += "1\n";
    config.data.weights = {"s1=" + folder.write("weights", lines + last).string()};
  };
  weigh("1");
  config.training.max_steps = 7;
  go();
  config.training.max_steps = 12;
  weigh("0.5");
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("the training data or its batches changed"));
}

TEST_F(RunFromShards, RejectsWeightsOfAnotherText) {
  config.data.weights = {"train=" + folder.write("weights", "1\n1\n").string()};
  for (const bool from_shards : {false, true})
    EXPECT_THROW(train_new(from_shards), DataError) << from_shards;
}

/// Two sets translate the same sentences into two languages, so only the tag says which is wanted.
TEST_F(RunFromShards, LearnsTwoTargetLanguagesByTheirTags) {
  const auto other = folder.write("train.other", made_up_text('r', 40)).string();
  config.data.sets = {"one=" + config.data.train_source + "," + config.data.train_target,
                      "two=" + config.data.train_source + "," + other};
  config.data.valid_source = folder.write("valid.src", made_up_text('a', 40));
  config.data.valid_target = folder.write("valid.tgt", made_up_text('m', 40));
  config.data.valid_sets = {"two=" + config.data.valid_source + "," + other};
  config.data.train_source.clear();
  config.data.train_target.clear();
  config.data.cache = folder.path("cache");
  config.data.tags = {"one=<2m>", "two=<2r>", "valid=<2m>"};
  config.tokenizer.kind = TokenizerKind::sentencepiece;
  config.tokenizer.joint = true;
  config.tokenizer.vocab_size = 80;
  config.training.max_steps = 250;
  config.training.valid_steps = 250;
  config.training.warmup_steps = 30;
  config.training.batch_size = 300;
  go();
  const auto record = nlohmann::json::parse(read_file(folder.path("run/report.json")));
  // Without tags, one of the two would be in the wrong language.
  EXPECT_GT(record.at("validation").at("chrf").get<double>(), 80) << record;
  EXPECT_GT(record.at("validation_sets").at("two").at("chrf").get<double>(), 80) << record;
  auto model = load_model(folder.path("run"), torch::kCPU);
  const std::string line = "aaa bbb ccc";
  const auto translate = [&](const std::string& tag) {
    auto decoding = model.config.decoding;
    decoding.source_tag = tag;
    return Translator(model, decoding).translate({line}).front().text();
  };
  EXPECT_THAT(translate("<2m>"), testing::MatchesRegex("[m-t ]+"));
  EXPECT_EQ(translate("<2r>").find_first_of("mnopq"), std::string::npos) << translate("<2r>");
  EXPECT_THAT(message_of<ConfigError>([&] { translate("<2x>"); }),
              HasSubstr("decoding.source_tag: the source vocabulary has no token '<2x>'"));
}

TEST_F(RunFromShards, TagsMustBeInTheVocabulary) {
  use_sets(folder, config, 1);
  config.data.tags = {"s0=<2x>"};
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }),
              HasSubstr("the source vocabulary has no token '<2x>'"));
}

TEST_F(RunFromShards, KeepsSetsThatCanBeReadOnlyOnceInMemory) {
  use_shards();
  use_sets(folder, config, 1);
  EXPECT_EQ(shard_folder(config.data), folder.path("cache"));
  config.data.sets.push_back("pipe=/dev/null,/dev/null");
  EXPECT_EQ(shard_folder(config.data), std::nullopt);
}

TEST_F(RunFromShards, LearnsTheVocabularyFromASample) {
  config.tokenizer.sample_pairs = 2;
  std::vector<std::string> vocabularies;
  for (const bool from_shards : {false, true}) {
    train_new(from_shards);
    vocabularies.push_back(read_file(folder.path("run/source.vocab")));
  }
  EXPECT_EQ(vocabularies[0], vocabularies[1]);
  EXPECT_LE(std::ranges::count(vocabularies[0], '\n'), 4 + 2 * 5) << "the words of two lines";
}

}  // namespace
}  // namespace tfm

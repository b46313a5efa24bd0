#include "tfm/data/starting_config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "temporary_folder.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/data/batcher.h"

namespace tfm {
namespace {

using testing::HasSubstr;

const StartingFiles files{.train = {.source = "a.de", .target = "a.en", .tsv = {}},
                          .valid = {.source = "v.de", .target = "v.en", .tsv = {}}};

/// Returns the size of a corpus with this number of pairs, each with this many bytes per side.
CorpusSize corpus_of(std::int64_t pairs, std::int64_t bytes = 60) {
  return {.pairs = pairs,
          .source_bytes = bytes * pairs,
          .target_bytes = bytes * pairs,
          .pairs_by_bytes = {{bytes, pairs}}};
}

Config read(const std::string& text) { return parse_config(text, "starting config"); }

TEST(StartingConfig, ChoosesThePresetByTheNumberOfPairs) {
  EXPECT_EQ(read(starting_config(files, corpus_of(1000), {})).model.preset, Preset::tiny);
  EXPECT_EQ(read(starting_config(files, corpus_of(1'000'000), {})).model.preset, Preset::base);
  EXPECT_EQ(read(starting_config(files, corpus_of(10'000'000), {})).model.preset, Preset::big);
  EXPECT_EQ(
      read(starting_config(files, corpus_of(1000), {.preset = "big", .minutes = 0})).model.preset,
      Preset::big);
}

TEST(StartingConfig, ChoosesVocabularyAndUpdatesByTheAmountOfText) {
  const Config multi30k = read(starting_config(files, corpus_of(29'000, 72), {}));
  EXPECT_EQ(multi30k.tokenizer.vocab_size, 10'256) << "with bytes";
  EXPECT_EQ(multi30k.training.max_steps, 5100) << "420,000 tokens of five bytes, 50 times";
  EXPECT_EQ(multi30k.training.warmup_steps, 850);
  EXPECT_EQ(multi30k.training.valid_steps, 510);
  const Config large = read(starting_config(files, corpus_of(10'000'000), {}));
  EXPECT_EQ(large.tokenizer.vocab_size, 32'256);
  EXPECT_EQ(large.training.max_steps, 100'000);
  const Config toy = read(starting_config(files, corpus_of(2), {}));
  EXPECT_EQ(toy.tokenizer.kind, TokenizerKind::word);
  EXPECT_EQ(toy.training.max_steps, 500);
}

TEST(StartingConfig, LeavesTheNumbersOfUpdatesToTrainingIfTheTimeIsLimited) {
  const auto text = starting_config(files, corpus_of(29'000, 72), {.preset = "", .minutes = 30});
  const auto training = read(text).training;
  EXPECT_EQ(training.max_steps, TrainingConfig::automatic_steps);
  EXPECT_EQ(training.max_minutes, 30);
  EXPECT_EQ(training.warmup_steps, TrainingConfig{}.warmup_steps);
  EXPECT_EQ(training.valid_steps, TrainingConfig{}.valid_steps);
  EXPECT_EQ(training.max_epochs, 45) << "of 114 updates";
  EXPECT_THAT(text, HasSubstr("about 5,130 updates, which suit this amount of text"));
}

TEST(StartingConfig, SetsByteFallbackIfTheVocabularyHasRoomForBytes) {
  const auto fallback = [](std::int64_t pairs) {
    return read(starting_config(files, corpus_of(pairs), {})).tokenizer.byte_fallback;
  };
  EXPECT_FALSE(fallback(2)) << "a vocabulary of words";
  EXPECT_FALSE(fallback(3000)) << "1500 subwords";
  EXPECT_TRUE(fallback(5000)) << "4000 subwords";
}

TEST(StartingConfig, ExplainsItsChoices) {
  const std::string text = starting_config(files, corpus_of(29'000, 72), {});
  EXPECT_THAT(text, HasSubstr("Here: the corpus has 29,000 sentence pairs; larger models overfit"));
  EXPECT_THAT(text, HasSubstr("Here: chosen for 4,176,000 bytes of text"));
  EXPECT_THAT(text, HasSubstr("Here: the corpus has about 460,000 tokens per side"));
  EXPECT_THAT(text, HasSubstr("Here: about 45 epochs of 114 updates"));
  EXPECT_THAT(starting_config(files, corpus_of(2), {.preset = "base", .minutes = 0}),
              HasSubstr("chosen on the command line"));
}

TEST(StartingConfig, CountsAsManyUpdatesPerEpochAsTheBatcherMakesBatches) {
  CorpusSize size;
  Corpus corpus;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t tokens = 4 + i * 37 % 200;
    const std::int64_t bytes = 5 * (tokens - 1);  // EOS is not in the text
    ++size.pairs;
    ++size.pairs_by_bytes[bytes];
    size.source_bytes += bytes;
    size.target_bytes += bytes;
    corpus.examples.push_back({TokenIds(static_cast<std::size_t>(tokens), 5), TokenIds(1, 5)});
  }
  const Config config = read(starting_config(files, size, {}));
  ASSERT_EQ(config.tokenizer.vocab_size, 10'256);
  Batcher batcher(corpus, {.type = config.training.batch_type, .size = config.training.batch_size});
  EXPECT_THAT(starting_config(files, size, {}),
              HasSubstr(fmt::format("epochs of {} updates each", batcher.batches_in_window())));
}

TEST(StartingConfig, SaysThatTheAmountOfTextDecidesTheNumberOfUpdates) {
  auto text = starting_config(files, corpus_of(29'000, 72), {});
  std::erase(text, '#');
  std::erase(text, '\n');
  text = std::regex_replace(text, std::regex(" +"), " ");
  EXPECT_THAT(text, HasSubstr("about 45 epochs of 114 updates each. `tfm config init` chooses from "
                              "500 to 100,000 updates by the amount of text; with --minutes N, it "
                              "limits the time instead."));
}

TEST(StartingConfig, AssumesShorterTokensForSmallVocabularies) {
  const auto updates = [](std::int64_t pairs) {
    const std::string text = starting_config(files, corpus_of(pairs), {});
    const auto found = text.find("epochs of ");
    return std::stoi(text.substr(found + 10));
  };
  // 60 bytes are 25 tokens of a vocabulary of 500, or 18 tokens of a vocabulary of 1500, plus EOS.
  EXPECT_EQ(updates(390), 10) << "39 pairs per batch of 1024 tokens";
  EXPECT_EQ(updates(1060), 20) << "53 pairs per batch";
}

TEST(StartingConfig, CountsAtLeastOneUpdatePerEpoch) {
  const std::string text = starting_config(files, corpus_of(1, 1), {});
  EXPECT_THAT(text, HasSubstr("about 500 epochs of 1 updates each"));
}

TEST(StartingConfig, CommentsOutTheValidationSetIfThereIsNone) {
  const std::string text =
      starting_config({.train = files.train, .valid = {}}, corpus_of(1000), {});
  EXPECT_EQ(read(text).data.train_source, "a.de");
  EXPECT_EQ(read(text).data.valid_source, "");
  EXPECT_THAT(text, HasSubstr("\n  # valid_source: \"\"\n"));
}

TEST(MeasureCorpus, CountsPairsAndBytes) {
  const TemporaryFolder folder;
  const auto size = measure_corpus({.source = folder.write("a.de", "ein Bier\n \nzwei\n"),
                                    .target = folder.write("a.en", "a beer\nempty\ntwo\n"),
                                    .tsv = {}});
  EXPECT_EQ(size.pairs, 2) << "training skips a pair with an empty side";
  EXPECT_EQ(size.source_bytes, 12);
  EXPECT_EQ(size.target_bytes, 9);
  EXPECT_THAT(size.pairs_by_bytes, testing::ElementsAre(std::pair(4, 1), std::pair(8, 1)));
}

TEST(MeasureCorpus, ReadsBothSidesOfATsvFile) {
  const TemporaryFolder folder;
  const auto size = measure_corpus(
      {.source = {}, .target = {}, .tsv = folder.write("a.tsv", "ein Bier\ta beer\nzwei\ttwo\n")});
  EXPECT_EQ(size.pairs, 2);
  EXPECT_EQ(size.target_bytes, 9);
}

TEST(StartingConfig, NamesTsvFiles) {
  const StartingFiles both{.train = {.source = {}, .target = {}, .tsv = "a.tsv"},
                           .valid = {.source = {}, .target = {}, .tsv = "v.tsv"}};
  const auto config = read(starting_config(both, corpus_of(5000), {}));
  EXPECT_EQ(config.data.train_tsv, "a.tsv");
  EXPECT_EQ(config.data.valid_tsv, "v.tsv");
  EXPECT_EQ(config.data.train_source, "");
}

TEST(MeasureCorpus, ThrowsForMissingEmptyOrUnequallyLongFiles) {
  const TemporaryFolder folder;
  const auto two = folder.write("two", "a\nb\n");
  const auto one = folder.write("one", "a\n");
  const auto none = folder.write("none", {});
  const auto blank = folder.write("blank", "\n\n");
  const auto measure = [](const auto& source, const auto& target) {
    return measure_corpus({.source = source, .target = target, .tsv = {}});
  };
  EXPECT_THROW(measure(two, one), DataError);
  EXPECT_THROW(measure(none, none), DataError);
  EXPECT_THROW(measure(blank, blank), DataError);
  EXPECT_THROW(measure(folder.path("missing"), one), DataError);
}

}  // namespace
}  // namespace tfm

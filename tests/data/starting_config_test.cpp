#include "tfm/data/starting_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

const StartingFiles files{
    .source = "a.de", .target = "a.en", .valid_source = "v.de", .valid_target = "v.en"};

/// Returns the size of a corpus with this number of pairs, each with 60 bytes per side.
CorpusSize corpus_of(std::int64_t pairs) { return {pairs, 60 * pairs, 60 * pairs}; }

Config read(const std::string& text) { return parse_config(text, "starting config"); }

TEST(StartingConfig, ChoosesThePresetByTheNumberOfPairs) {
  EXPECT_EQ(read(starting_config(files, corpus_of(1000), "")).model.preset, Preset::tiny);
  EXPECT_EQ(read(starting_config(files, corpus_of(1'000'000), "")).model.preset, Preset::base);
  EXPECT_EQ(read(starting_config(files, corpus_of(10'000'000), "")).model.preset, Preset::big);
  EXPECT_EQ(read(starting_config(files, corpus_of(1000), "big")).model.preset, Preset::big);
}

TEST(StartingConfig, ChoosesVocabularyAndUpdatesByTheAmountOfText) {
  const Config multi30k = read(starting_config(files, {29'000, 2'100'000, 1'800'000}, ""));
  EXPECT_EQ(multi30k.tokenizer.vocab_size, 10'000);
  EXPECT_EQ(multi30k.training.max_steps, 5100) << "50 epochs of 420,000 tokens";
  EXPECT_EQ(multi30k.training.warmup_steps, 850);
  EXPECT_EQ(multi30k.training.valid_steps, 510);
  const Config large = read(starting_config(files, corpus_of(10'000'000), ""));
  EXPECT_EQ(large.tokenizer.vocab_size, 32'000);
  EXPECT_EQ(large.training.max_steps, 100'000);
  const Config toy = read(starting_config(files, corpus_of(2), ""));
  EXPECT_EQ(toy.tokenizer.kind, TokenizerKind::word);
  EXPECT_EQ(toy.training.max_steps, 500);
}

TEST(StartingConfig, ExplainsItsChoices) {
  const std::string text = starting_config(files, {29'000, 2'100'000, 1'800'000}, "");
  EXPECT_THAT(text, HasSubstr("Here: the corpus has 29,000 sentence pairs; larger models overfit"));
  EXPECT_THAT(text, HasSubstr("Here: chosen for 3,900,000 bytes of text"));
  EXPECT_THAT(text, HasSubstr("Here: about 50 epochs of 103 updates"));
  EXPECT_THAT(starting_config(files, corpus_of(2), "base"),
              HasSubstr("chosen on the command line"));
}

TEST(StartingConfig, CountsAtLeastOneUpdatePerEpoch) {
  const std::string text = starting_config(files, {1, 1, 1}, "");
  EXPECT_THAT(text, HasSubstr("about 500 epochs of 1 updates each"));
}

TEST(StartingConfig, CommentsOutTheValidationSetIfThereIsNone) {
  const std::string text =
      starting_config({.source = "a.de", .target = "a.en", .valid_source = {}, .valid_target = {}},
                      corpus_of(1000), "");
  EXPECT_EQ(read(text).data.train_source, "a.de");
  EXPECT_EQ(read(text).data.valid_source, "");
  EXPECT_THAT(text, HasSubstr("\n  # valid_source: \"\"\n"));
}

TEST(MeasureCorpus, CountsPairsAndBytes) {
  const TemporaryFolder folder;
  const auto size = measure_corpus(folder.write("a.de", "ein Bier\nzwei\n"),
                                   folder.write("a.en", "a beer\ntwo\n"));
  EXPECT_EQ(size.pairs, 2);
  EXPECT_EQ(size.source_bytes, 12);
  EXPECT_EQ(size.target_bytes, 9);
}

TEST(MeasureCorpus, ThrowsForMissingEmptyOrUnequallyLongFiles) {
  const TemporaryFolder folder;
  const auto two = folder.write("two", "a\nb\n");
  const auto one = folder.write("one", "a\n");
  const auto none = folder.write("none", "");
  EXPECT_THROW(measure_corpus(two, one), DataError);
  EXPECT_THROW(measure_corpus(none, none), DataError);
  EXPECT_THROW(measure_corpus(folder.path("missing"), one), DataError);
}

}  // namespace
}  // namespace tfm

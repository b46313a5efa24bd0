#include "tfm/data/training_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "begin_windows.h"
#include "temporary_folder.h"
#include "text/sample_text.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"
#include "tfm/tokenizer/sentencepiece_training.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TrainingCorpusTest : public testing::TestWithParam<SubwordAlgorithm> {
 protected:
  TrainingCorpusTest() {
    text.source = sample_text(1, 100);
    text.target = sample_text(2, 100);
    for (std::int64_t i = 1; i <= 100; ++i) text.line.push_back(i);
    // The pair with index 50 has a side without tokens and is skipped, so the indices of later
    // examples differ from those of their pairs.
    text.source[50] = "";
    const auto model =
        train_sentencepiece({text.source, text.target}, subword_config(GetParam(), 60));
    tokenizers.source = tokenizers.target = std::make_shared<const SentencePieceTokenizer>(model);
    (GetParam() == SubwordAlgorithm::bpe ? config.data.bpe_dropout : config.data.unigram_alpha) =
        0.2;
  }

  std::vector<TokenIds> sources(const TrainingCorpus& corpus) const {
    std::vector<TokenIds> found;
    for (const auto& example : corpus.corpus().examples) found.push_back(example.source);
    return found;
  }

  std::vector<TokenIds> epoch(std::int64_t number, std::int64_t seed = 1) const {
    Config seeded = config;
    seeded.training.seed = seed;
    TrainingCorpus corpus({&text, 1}, tokenizers, seeded);
    begin_epoch(corpus, number);
    return sources(corpus);
  }

  ParallelText text;
  TokenizerPair tokenizers;
  Config config;
};
INSTANTIATE_TEST_SUITE_P(Algorithms, TrainingCorpusTest,
                         testing::Values(SubwordAlgorithm::bpe, SubwordAlgorithm::unigram),
                         [](const auto& info) {
                           return info.param == SubwordAlgorithm::bpe ? "Bpe" : "Unigram";
                         });

TEST_P(TrainingCorpusTest, DoesNotChangeWithoutSampling) {
  config.data.bpe_dropout = config.data.unigram_alpha = 0;
  TrainingCorpus corpus({&text, 1}, tokenizers, config);
  const auto before = sources(corpus);
  begin_epoch(corpus, 3);
  EXPECT_EQ(sources(corpus), before);
}

TEST_P(TrainingCorpusTest, DependsOnlyOnSeedAndEpoch) {
  TrainingCorpus through({&text, 1}, tokenizers, config);
  for (const std::int64_t number : {0, 1, 2, 3}) {
    begin_epoch(through, number);
    EXPECT_EQ(sources(through), epoch(number)) << number;
  }
  begin_epoch(through, 1);  // an earlier epoch again
  EXPECT_EQ(sources(through), epoch(1));
  EXPECT_NE(epoch(1), epoch(2));
  EXPECT_NE(epoch(1, 1), epoch(1, 2));
}

TEST_P(TrainingCorpusTest, SampledSegmentationsDecodeToTheSameText) {
  TrainingCorpus corpus({&text, 1}, tokenizers, config);
  const auto usual = sources(corpus);
  begin_epoch(corpus, 0);
  const auto& examples = corpus.corpus().examples;
  ASSERT_EQ(examples.size(), 99U);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::size_t line = i < 50 ? i : i + 1;
    EXPECT_EQ(tokenizers.source->decode(examples[i].source), text.source[line]);
    EXPECT_EQ(tokenizers.target->decode(examples[i].target), text.target[line]);
    EXPECT_EQ(examples[i].source.back(), tokenizers.source->special().eos);
    EXPECT_NE(examples[i].target.back(), tokenizers.target->special().eos);
    EXPECT_EQ(examples[i].line, text.line[line]) << "the line number is that of the file";
    changed += examples[i].source != usual[i] ? 1 : 0;
  }
  EXPECT_GT(changed, 50U);
}

TEST_P(TrainingCorpusTest, SampledExamplesDoNotExceedTheMaximumLength) {
  config.data.long_lines = LongLines::truncate;
  config.data.max_length = 12;
  TrainingCorpus corpus({&text, 1}, tokenizers, config);
  const auto usual = sources(corpus);
  for (const std::int64_t number : {0, 1}) {
    begin_epoch(corpus, number);
    ASSERT_EQ(corpus.corpus().examples.size(), usual.size());
    for (const auto& example : corpus.corpus().examples) EXPECT_LE(example.length(), 12);
  }
}

TEST_P(TrainingCorpusTest, BatcherKeepsTheBudgetAndResumesWithSampledSegmentations) {
  TrainingCorpus through({&text, 1}, tokenizers, config);
  const BatcherOptions options{.type = BatchType::tokens, .size = 150, .shuffle = true, .seed = 9};
  const auto make_batcher = [&](TrainingCorpus& corpus) {
    return Batcher(corpus.corpus(), options, begin_windows(corpus));
  };
  Batcher batcher = make_batcher(through);
  while (batcher.position().epoch < 3) {
    const auto position = batcher.position();
    const auto batch = batcher.next();
    std::int64_t longest = 0;
    for (const auto i : batch)
      longest = std::max(longest, through.corpus().examples[static_cast<std::size_t>(i)].length());
    EXPECT_LE(longest * std::ssize(batch), 150)
        << "the corpus is that of the batch's epoch, even after the last batch of the epoch";
    if (position.next % 4 != 1) continue;
    TrainingCorpus again({&text, 1}, tokenizers, config);
    Batcher resumed = make_batcher(again);
    resumed.seek(position);
    EXPECT_EQ(resumed.next(), batch);
    EXPECT_EQ(sources(again), sources(through));
  }
}

/// Two sets whose pairs are modified.
class ModifiedCorpus : public testing::Test {
 protected:
  ModifiedCorpus() {
    for (const std::uint32_t seed : {1U, 3U}) {
      ParallelText& text = texts.emplace_back();
      text.source = sample_text(seed, 150);
      text.target = sample_text(seed + 1, 150);
      for (std::int64_t i = 1; i <= 150; ++i) text.line.push_back(i);
      text.set = seed == 1 ? "one" : "two";
    }
    texts[1].tag = "<two>";
    config.data.sets = {"one=a.tsv", "two=b.tsv"};
    config.data.tags = {"two=<two>"};
    config.data.modifiers = {"merge=0.3", "upper_case=0.3", "typos=0.3"};
    config.tokenizer = subword_config(SubwordAlgorithm::bpe, 400);
    config.tokenizer.byte_fallback = true;
    config.tokenizer.symbols = {"<two>"};
    const auto model = train_sentencepiece(
        {texts[0].source, texts[0].target, texts[1].source, texts[1].target}, config.tokenizer);
    tokenizers.source = tokenizers.target = std::make_shared<const SentencePieceTokenizer>(model);
  }

  std::vector<Example> epoch(std::int64_t number) const {
    TrainingCorpus corpus(texts, tokenizers, config);
    begin_epoch(corpus, number);
    const auto& examples = corpus.corpus().examples;
    return {examples.begin(), examples.end()};
  }

  std::vector<ParallelText> texts;
  TokenizerPair tokenizers;
  Config config;
};

TEST_F(ModifiedCorpus, DependsOnlyOnSeedAndEpoch) {
  TrainingCorpus through(texts, tokenizers, config);
  for (const std::int64_t number : {0, 1, 2}) {
    begin_epoch(through, number);
    const auto& examples = through.corpus().examples;
    EXPECT_EQ(std::vector<Example>(examples.begin(), examples.end()), epoch(number)) << number;
  }
  EXPECT_NE(epoch(0), epoch(1));
  const auto before = epoch(1);
  config.training.seed = 2;
  EXPECT_NE(epoch(1), before);
}

TEST_F(ModifiedCorpus, ExamplesAreTheEncodedTextsOfTheEpoch) {
  TrainingCorpus corpus(texts, tokenizers, config);
  begin_epoch(corpus, 3);
  std::size_t modified = 0;
  ASSERT_EQ(corpus.corpus().examples.size(), 300U);
  for (std::size_t i = 0; i < 300; ++i) {
    const auto text = corpus.text_of(i).value();
    EXPECT_EQ(text.text, i / 150);
    EXPECT_EQ(text.original.source, texts[text.text].source[text.pair]);
    EXPECT_EQ(text.pair, i % 150);
    const Example example = corpus.corpus().examples[i];
    EXPECT_EQ(example.line, static_cast<std::int64_t>(text.pair) + 1);
    auto source = tokenizers.source->encode(text.modified.pair.source);
    if (i >= 150) source.insert(source.begin(), find_piece(*tokenizers.source, "<two>").value());
    source.push_back(tokenizers.source->special().eos);
    EXPECT_EQ(example.source, source);
    EXPECT_EQ(example.target, tokenizers.target->encode(text.modified.pair.target));
    modified += text.modified.changed_by.empty() ? 0 : 1;
  }
  // 1 - 0.7^3 = 0.657 of 300 pairs, with a standard deviation of 8.2. The test allows five.
  EXPECT_NEAR(static_cast<double>(modified), 197, 41);
  EXPECT_THAT(corpus.corpus().sets, testing::SizeIs(2));
}

TEST_F(ModifiedCorpus, KeepsPairsThatWouldBeTooLong) {
  const auto most_tokens = [&](bool is_source) {
    TrainingCorpus corpus(texts, tokenizers, config);
    std::int64_t most = 0;
    for (const auto& example : corpus.corpus().examples)
      most = std::max(most, std::ssize(is_source ? example.source : example.target));
    return most;
  };
  config.data.max_length = std::max(most_tokens(true), most_tokens(false) + 1);
  config.data.modifiers = {"merge=1"};
  TrainingCorpus corpus(texts, tokenizers, config);
  const std::vector<Example> usual(corpus.corpus().examples.begin(),
                                   corpus.corpus().examples.end());
  begin_epoch(corpus, 0);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < usual.size(); ++i) {
    const Example example = corpus.corpus().examples[i];
    EXPECT_LE(example.length(), config.data.max_length);
    EXPECT_EQ(corpus.text_of(i)->is_used || example == usual[i], true);
    kept += corpus.text_of(i)->is_used ? 0 : 1;
  }
  EXPECT_GT(kept, 0U);
  EXPECT_LT(kept, usual.size());
}

/// The vocabulary has no capital, so every letter of a text in capitals would be unknown.
TEST_F(ModifiedCorpus, KeepsPairsThatWouldGetUnknownTokens) {
  config.tokenizer.byte_fallback = false;
  const auto model = train_sentencepiece({texts[0].source, texts[0].target}, config.tokenizer);
  tokenizers.source = tokenizers.target = std::make_shared<const SentencePieceTokenizer>(model);
  config.data.modifiers = {"upper_case=1"};
  TrainingCorpus corpus(texts, tokenizers, config);
  const std::vector<Example> usual(corpus.corpus().examples.begin(),
                                   corpus.corpus().examples.end());
  begin_epoch(corpus, 0);
  const auto& examples = corpus.corpus().examples;
  EXPECT_EQ(std::vector<Example>(examples.begin(), examples.end()), usual);
  EXPECT_FALSE(corpus.text_of(0)->is_used);
}

TEST_F(ModifiedCorpus, PrefixNeedsItsSymbolsInTheVocabulary) {
  config.data.modifiers = {"prefix=0.5"};
  EXPECT_THROW(TrainingCorpus(texts, tokenizers, config), ConfigError);
}

TEST_F(ModifiedCorpus, TermsNeedTheSymbolsOfTheirTemplateInTheVocabulary) {
  config.data.modifiers = {"terms=0.5"};
  EXPECT_THAT(message_of<ConfigError>([&] { TrainingCorpus(texts, tokenizers, config); }),
              AllOf(HasSubstr("data.modifiers: "), HasSubstr("no token '__source__'"),
                    HasSubstr("one that tfm learns gets it")));
  config.data.term_template = "<two> {trg}";  // a tag that the vocabulary has
  TrainingCorpus(texts, tokenizers, config);
}

TEST_F(ModifiedCorpus, MarksTermsOnlyInTextsWithAlignments) {
  config.data.modifiers = {"terms=1"};
  config.data.term_template = "<two> {src} <two> {trg}";
  texts[1].alignments.assign(150, "0-0");
  TrainingCorpus corpus(texts, tokenizers, config);
  begin_epoch(corpus, 0);
  for (std::size_t i = 0; i < 150; ++i)
    EXPECT_THAT(corpus.text_of(i)->modified.changed_by, testing::IsEmpty());
  std::size_t marked = 0;
  for (std::size_t i = 150; i < 300; ++i) {
    const auto source = corpus.text_of(i)->modified.pair.source;
    marked += source.starts_with("<two> ") ? 1 : 0;
  }
  EXPECT_GT(marked, 100U) << "all but those whose first words are the same";
}

TEST_F(ModifiedCorpus, BatcherResumesWithTheSameText) {
  config.data.bpe_dropout = 0.1;  // both at once
  TrainingCorpus through(texts, tokenizers, config);
  const BatcherOptions options{
      .type = BatchType::tokens,
      .size = 200,
      .shuffle = true,
      .seed = 9,
      .stages = {{.shares = {{"one", 1}, {"two", 1.5}}, .until = "one", .epochs = 0}}};
  const auto make_batcher = [&](TrainingCorpus& corpus) {
    return Batcher(corpus.corpus(), options, begin_windows(corpus));
  };
  Batcher batcher = make_batcher(through);
  while (batcher.position().epoch < 3) {
    const auto position = batcher.position();
    const auto batch = batcher.next();
    if (position.next % 5 != 2) continue;
    TrainingCorpus again(texts, tokenizers, config);
    Batcher resumed = make_batcher(again);
    resumed.seek(position);
    EXPECT_EQ(resumed.next(), batch);
    for (const auto i : batch) {
      const auto index = static_cast<std::size_t>(i);
      EXPECT_EQ(again.corpus().examples[index], through.corpus().examples[index]);
    }
  }
}

/// With a dropout probability of 1, every merge is skipped, so only characters remain.
TEST(BpeDropout, HigherProbabilitySkipsMoreMerges) {
  const auto lines = sample_text(1, 200);
  const SentencePieceTokenizer tokenizer(
      train_sentencepiece({lines}, subword_config(SubwordAlgorithm::bpe, 60)));
  const auto tokens = [&](double p) {
    std::size_t count = 0;
    for (const auto& line : lines) count += tokenizer.sample(line, p).size();
    return count;
  };
  std::size_t usual = 0;
  for (const auto& line : lines) usual += tokenizer.encode(line).size();
  EXPECT_EQ(tokens(0), usual);
  EXPECT_GT(tokens(0.1), usual);
  EXPECT_GT(tokens(0.5), tokens(0.1));
  std::size_t characters = 0;
  for (const auto& line : lines) {
    for (const char c : line) characters += (static_cast<unsigned char>(c) & 0xc0U) != 0x80 ? 1 : 0;
  }
  EXPECT_EQ(tokens(1), characters + lines.size())
      << "including the \u2581 before each line's first word";
}

TEST(WithReversedPairs, ReturnsEveryPairInBothDirections) {
  ParallelText text;
  text.source = {"a", "b"};
  text.target = {"x", "y"};
  text.line = {1, 3};
  text.alignments = {"0-1 2-0", ""};
  const auto both = with_reversed_pairs(text);
  EXPECT_THAT(both.source, testing::ElementsAre("a", "b", "x", "y"));
  EXPECT_THAT(both.target, testing::ElementsAre("x", "y", "a", "b"));
  EXPECT_THAT(both.line, testing::ElementsAre(1, 3, 1, 3));
  EXPECT_EQ(both.first_reversed, 2U);
  EXPECT_THAT(both.alignments, testing::ElementsAre("0-1 2-0", "", "1-0 0-2", ""));
}

}  // namespace
}  // namespace tfm

#include "tfm/data/training_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/sample_text.h"
#include "tfm/data/batcher.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"
#include "tfm/tokenizer/sentencepiece_training.h"

namespace tfm {
namespace {

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
    (GetParam() == SubwordAlgorithm::bpe ? config.bpe_dropout : config.unigram_alpha) = 0.2;
  }

  std::vector<TokenIds> sources(const TrainingCorpus& corpus) const {
    std::vector<TokenIds> found;
    for (const auto& example : corpus.corpus().examples) found.push_back(example.source);
    return found;
  }

  std::vector<TokenIds> epoch(std::int64_t number, std::uint64_t seed = 1) const {
    TrainingCorpus corpus(text, tokenizers, config, seed);
    corpus.begin_epoch(number);
    return sources(corpus);
  }

  ParallelText text;
  TokenizerPair tokenizers;
  DataConfig config;
};
INSTANTIATE_TEST_SUITE_P(Algorithms, TrainingCorpusTest,
                         testing::Values(SubwordAlgorithm::bpe, SubwordAlgorithm::unigram),
                         [](const auto& info) {
                           return info.param == SubwordAlgorithm::bpe ? "Bpe" : "Unigram";
                         });

TEST_P(TrainingCorpusTest, DoesNotChangeWithoutSampling) {
  config.bpe_dropout = config.unigram_alpha = 0;
  TrainingCorpus corpus(text, tokenizers, config, 1);
  const auto before = sources(corpus);
  corpus.begin_epoch(3);
  EXPECT_EQ(sources(corpus), before);
}

TEST_P(TrainingCorpusTest, DependsOnlyOnSeedAndEpoch) {
  TrainingCorpus through(text, tokenizers, config, 1);
  for (const std::int64_t number : {0, 1, 2, 3}) {
    through.begin_epoch(number);
    EXPECT_EQ(sources(through), epoch(number)) << number;
  }
  through.begin_epoch(1);  // an earlier epoch again
  EXPECT_EQ(sources(through), epoch(1));
  EXPECT_NE(epoch(1), epoch(2));
  EXPECT_NE(epoch(1, 1), epoch(1, 2));
}

TEST_P(TrainingCorpusTest, SampledSegmentationsDecodeToTheSameText) {
  TrainingCorpus corpus(text, tokenizers, config, 1);
  const auto usual = sources(corpus);
  corpus.begin_epoch(0);
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
  config.long_lines = LongLines::truncate;
  config.max_length = 12;
  TrainingCorpus corpus(text, tokenizers, config, 1);
  const auto usual = sources(corpus);
  for (const std::int64_t number : {0, 1}) {
    corpus.begin_epoch(number);
    ASSERT_EQ(corpus.corpus().examples.size(), usual.size());
    for (const auto& example : corpus.corpus().examples) EXPECT_LE(example.length(), 12);
  }
}

TEST_P(TrainingCorpusTest, BatcherKeepsTheBudgetAndResumesWithSampledSegmentations) {
  TrainingCorpus through(text, tokenizers, config, 1);
  const BatcherOptions options{.type = BatchType::tokens, .size = 150, .shuffle = true, .seed = 9};
  const auto make_batcher = [&](TrainingCorpus& corpus) {
    return Batcher(corpus.corpus(), options,
                   [&corpus](std::int64_t number) { corpus.begin_epoch(number); });
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
    TrainingCorpus again(text, tokenizers, config, 1);
    Batcher resumed = make_batcher(again);
    resumed.seek(position);
    EXPECT_EQ(resumed.next(), batch);
    EXPECT_EQ(sources(again), sources(through));
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
  const auto both = with_reversed_pairs(text);
  EXPECT_THAT(both.source, testing::ElementsAre("a", "b", "x", "y"));
  EXPECT_THAT(both.target, testing::ElementsAre("x", "y", "a", "b"));
  EXPECT_THAT(both.line, testing::ElementsAre(1, 3, 1, 3));
}

}  // namespace
}  // namespace tfm

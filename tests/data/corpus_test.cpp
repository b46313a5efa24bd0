#include "tfm/data/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A tokenizer of numbers: the id of the word "12" is 12. Other words are unknown, except for "-",
// which gives no token.
class NumberTokenizer : public Tokenizer {
 public:
  explicit NumberTokenizer(SpecialTokens special) : special_(special) {}

  TokenIds encode(std::string_view text, std::vector<std::string>* unknown) const override {
    TokenIds ids;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
      if (word == "-") continue;
      const bool known = word.find_first_not_of("0123456789") == std::string::npos;
      if (!known && unknown != nullptr) unknown->push_back(word);
      ids.push_back(known ? std::stoi(word) : special_.unk);
    }
    return ids;
  }
  std::string decode(std::span<const TokenId>) const override { return ""; }
  std::int64_t size() const override { return 100; }
  const SpecialTokens& special() const override { return special_; }
  std::string piece(TokenId id) const override { return std::to_string(id); }
  bool starts_word(TokenId) const override { return true; }
  std::uint32_t encoding_checksum() const override { return 0; }
  void save(const std::filesystem::path&, std::string_view) const override {}

 private:
  SpecialTokens special_;
};

TokenizerPair numbers(SpecialTokens source = {0, 1, 2, 3}, SpecialTokens target = {0, 1, 2, 3}) {
  return {std::make_shared<NumberTokenizer>(source), std::make_shared<NumberTokenizer>(target)};
}

// Returns a text in which pair i is in line 10 * (i + 1) of its files.
ParallelText text_of(std::vector<std::string> source, std::vector<std::string> target) {
  ParallelText text{std::move(source), std::move(target), {}, {}, {"a.de", "a.en", {}}};
  for (std::size_t i = 0; i < text.source.size(); ++i)
    text.line.push_back(static_cast<std::int64_t>(10 * (i + 1)));
  return text;
}

DataConfig limited(std::int64_t max_length, LongLines long_lines) {
  DataConfig config;
  config.max_length = max_length;
  config.long_lines = long_lines;
  return config;
}

TEST(EncodeCorpus, AddsEosToSourcesButNotToTargets) {
  const Corpus corpus = encode_corpus(text_of({"10 11", "12"}, {"20", "21 22 23"}), numbers(), {});
  ASSERT_EQ(corpus.examples.size(), 2u);
  EXPECT_THAT(corpus.examples[0].source, ElementsAre(10, 11, 2));
  EXPECT_THAT(corpus.examples[0].target, ElementsAre(20));
  EXPECT_THAT(corpus.examples[1].target, ElementsAre(21, 22, 23));
  EXPECT_EQ(corpus.source_tokens, 3 + 2);
  EXPECT_EQ(corpus.target_tokens, 2 + 4) << "including the EOS that batches add";
}

TEST(EncodeCorpus, AddsNoEosToSourcesIfSourceEosIsFalse) {
  DataConfig config;
  config.source_eos = false;
  const Corpus corpus = encode_corpus(text_of({"10 11"}, {"20"}), numbers({0, -1, -1, -1}), config);
  EXPECT_THAT(corpus.examples[0].source, ElementsAre(10, 11));
}

TEST(EncodeCorpus, CountsUnknownTokens) {
  const Corpus corpus = encode_corpus(text_of({"10 x", "y z"}, {"20", "w"}), numbers(), {});
  EXPECT_EQ(corpus.source_unknown, 3);
  EXPECT_EQ(corpus.target_unknown, 1);
}

// A max_length of 4 allows 3 tokens and the eos.
const ParallelText long_pairs = text_of({"1 2 3", "1 2 3 4", "5"}, {"6 7 8", "6", "6 7 8 9 10"});

TEST(EncodeCorpus, KeepsTheLineNumbersOfExamples) {
  const auto corpus = encode_corpus(text_of({"4", "4 5 6 7 8", "5"}, {"6", "7", "8"}), numbers(),
                                    limited(4, LongLines::skip));
  ASSERT_EQ(corpus.examples.size(), 2U);
  EXPECT_EQ(corpus.examples[0].line, 10);
  EXPECT_EQ(corpus.examples[1].line, 30);
}

/// Pairs of 1 to 4 tokens, of which those of 4 are skipped, and every tenth has an unknown word.
ParallelText mixed_text(std::size_t pairs) {
  std::vector<std::string> source, target;
  for (std::size_t i = 0; i < pairs; ++i) {
    source.push_back(i % 10 == 0 ? "x" : std::to_string(i % 90));
    for (std::size_t word = 0; word < i % 4; ++word) source.back() += " 7";
    target.push_back(i % 7 == 0 ? "-" : std::to_string(i % 80));
  }
  return text_of(source, target);
}

TEST(EncodeCorpus, DoesNotDependOnTheNumberOfThreads) {
  const auto text = mixed_text(50);
  const auto config = limited(4, LongLines::skip);
  const auto one = encode_corpus(text, numbers(), config, /*threads=*/1);
  for (const std::int64_t threads : {2, 3, 7, 50, 64}) {
    const auto several = encode_corpus(text, numbers(), config, threads);
    ASSERT_EQ(several.examples.size(), one.examples.size()) << threads;
    for (std::size_t i = 0; i < one.examples.size(); ++i) {
      EXPECT_EQ(several.examples[i].source, one.examples[i].source);
      EXPECT_EQ(several.examples[i].target, one.examples[i].target);
      EXPECT_EQ(several.examples[i].line, one.examples[i].line);
    }
    EXPECT_EQ(several.lines, one.lines);
    EXPECT_EQ(describe(several.skipped), describe(one.skipped));
    EXPECT_EQ(several.source_tokens, one.source_tokens);
    EXPECT_EQ(several.target_tokens, one.target_tokens);
    EXPECT_EQ(several.source_unknown, one.source_unknown);
    EXPECT_EQ(several.target_unknown, one.target_unknown);
  }
}

TEST(EncodeCorpus, ReportsTheFirstLongPairWithAnyNumberOfThreads) {
  for (const std::int64_t threads : {1, 2, 3, 8}) {
    EXPECT_THAT(message_of<DataError>([&] {
                  encode_corpus(mixed_text(50), numbers(), limited(4, LongLines::error), threads);
                }),
                testing::StartsWith("a.de:40: over 4 tokens"))
        << threads;
  }
}

/// Records the threads that encode.
class ThreadRecorder : public NumberTokenizer {
 public:
  using NumberTokenizer::NumberTokenizer;

  TokenIds encode(std::string_view text, std::vector<std::string>* unknown) const override {
    const std::lock_guard lock(mutex_);
    threads_.insert(std::this_thread::get_id());
    return NumberTokenizer::encode(text, unknown);
  }
  std::size_t threads() const { return threads_.size(); }

 private:
  mutable std::mutex mutex_;
  mutable std::set<std::thread::id> threads_;
};

TEST(EncodeCorpus, EncodesOnAsManyThreadsAsRequested) {
  for (const std::int64_t threads : {1, 3}) {
    const auto recorder = std::make_shared<ThreadRecorder>(SpecialTokens{0, 1, 2, 3});
    encode_corpus(mixed_text(50), {recorder, recorder}, {}, threads);
    EXPECT_EQ(recorder->threads(), static_cast<std::size_t>(threads));
  }
}

TEST(EncodeCorpus, SkipsLongPairsIfLongLinesIsSkip) {
  const Corpus corpus = encode_corpus(long_pairs, numbers(), limited(4, LongLines::skip));
  ASSERT_EQ(corpus.examples.size(), 1u);
  EXPECT_THAT(corpus.examples[0].source, ElementsAre(1, 2, 3, 2));
  EXPECT_THAT(describe(corpus.skipped),
              ElementsAre("2 pairs skipped: over 4 tokens (a.de:20, a.en:30)"));
}

TEST(EncodeCorpus, TruncatesLongPairsAndKeepsTheEosIfLongLinesIsTruncate) {
  const Corpus corpus = encode_corpus(long_pairs, numbers(), limited(4, LongLines::truncate));
  ASSERT_EQ(corpus.examples.size(), 3u);
  EXPECT_THAT(corpus.examples[1].source, ElementsAre(1, 2, 3, 2));
  EXPECT_THAT(corpus.examples[1].target, ElementsAre(6));
  EXPECT_THAT(corpus.examples[2].target, ElementsAre(6, 7, 8));
  EXPECT_THAT(describe(corpus.skipped),
              ElementsAre("2 pairs truncated: over 4 tokens (a.de:20, a.en:30)"));
}

TEST(EncodeCorpus, ThrowsForALongPairIfLongLinesIsError) {
  const std::string message = message_of<DataError>(
      [&] { encode_corpus(long_pairs, numbers(), limited(4, LongLines::error)); });
  EXPECT_THAT(message, testing::StartsWith("a.de:20: over 4 tokens"));
}

TEST(EncodeCorpus, RecordsAtMostThreePlacesPerReason) {
  const Corpus corpus =
      encode_corpus(text_of({"1 2 3", "1 2 3", "1 2 3", "1 2 3", "1"}, {"1", "1", "1", "1", "1"}),
                    numbers(), limited(3, LongLines::skip));
  ASSERT_EQ(corpus.skipped.size(), 1u);
  EXPECT_EQ(corpus.skipped[0].count, 4);
  std::vector<std::string> places;
  for (const LinePlace& place : corpus.skipped[0].first) places.push_back(place.text());
  EXPECT_THAT(places, ElementsAre("a.de:10", "a.de:20", "a.de:30"));
}

TEST(EncodeCorpus, SkipsPairsWithASideWithoutTokens) {
  const Corpus corpus = encode_corpus(text_of({"-", "1", "1"}, {"1", "1", "-"}), numbers(), {});
  EXPECT_EQ(corpus.examples.size(), 1u);
  EXPECT_THAT(describe(corpus.skipped),
              ElementsAre("2 pairs skipped: no known token (a.de:10, a.en:30)"));
}

TEST(EncodeCorpus, ThrowsIfNoPairIsLeft) {
  const std::string message = message_of<DataError>(
      [&] { encode_corpus(text_of({"1 2 3"}, {"1"}), numbers(), limited(2, LongLines::skip)); });
  EXPECT_THAT(message, HasSubstr("no sentence pair is left"));
  EXPECT_THAT(message, HasSubstr("1 pair skipped: over 2 tokens (a.de:10)"));
}

TEST(EncodeCorpus, ThrowsIfAVocabularyLacksSpecialTokens) {
  const ParallelText text = text_of({"1"}, {"1"});
  EXPECT_THAT(message_of<DataError>([&] { encode_corpus(text, numbers({0, 1, -1, 3}), {}); }),
              HasSubstr("data.source_eos"));
  EXPECT_THAT(
      message_of<DataError>([&] { encode_corpus(text, numbers({0, 1, 2, 3}, {0, -1, 2, 3}), {}); }),
      HasSubstr("tokenizer.bos_token"));
}

TEST(EncodeCorpus, TruncatesToTheFixedLengthEvenIfLongLinesIsError) {
  DataConfig config = limited(10, LongLines::error);
  config.fixed_length = 4;
  const auto corpus =
      encode_corpus(text_of({"10 11 12 13", "10"}, {"20", "20 21 22 23 24"}), numbers(), config);
  ASSERT_EQ(corpus.examples.size(), 2u);
  EXPECT_THAT(corpus.examples[0].source, ElementsAre(10, 11, 12, 2));
  EXPECT_THAT(corpus.examples[1].target, ElementsAre(20, 21, 22)) << "leaves space for EOS";
  EXPECT_THAT(describe(corpus.skipped), ElementsAre(HasSubstr("2 pairs truncated: over 4 tokens")));
}

}  // namespace
}  // namespace tfm

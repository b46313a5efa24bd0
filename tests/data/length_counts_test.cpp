#include "tfm/data/length_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "property.h"
#include "tfm/data/batcher.h"

namespace tfm {
namespace {

using testing::ElementsAre;

Corpus corpus_of(const std::vector<std::pair<std::size_t, std::size_t>>& lengths) {
  Corpus corpus;
  for (const auto& [source, target] : lengths)
    corpus.examples.push_back({TokenIds(source, 5), TokenIds(target, 6)});
  return corpus;
}

TEST(CountLengths, CountsTheLongerSideWithEos) {
  const Corpus corpus = corpus_of({{3, 1}, {1, 2}, {0, 0}, {3, 3}});
  EXPECT_THAT(count_lengths(corpus.examples, 0), ElementsAre(0, 1, 0, 2, 1));
  EXPECT_THAT(count_lengths(corpus.examples, 2), ElementsAre(0, 0, 4));
  EXPECT_TRUE(count_lengths({}, 0).empty());
}

TEST(CountedCorpus, CountsEachFixedLengthOnce) {
  Corpus corpus = corpus_of({{3, 1}, {1, 2}});
  const CountedCorpus counted(corpus);
  const LengthCounts& counts = counted.lengths(0);
  EXPECT_THAT(counts, ElementsAre(0, 0, 0, 2));
  EXPECT_THAT(counted.lengths(2), ElementsAre(0, 0, 2));
  corpus.examples.push_back({TokenIds(3, 5), {}});
  EXPECT_EQ(&counted.lengths(0), &counts);
  EXPECT_THAT(counted.lengths(0), ElementsAre(0, 0, 0, 2)) << "it was counted before";
}

TEST(LongestBatch, ListsTheLongestExamplesFirst) {
  const Corpus corpus = corpus_of({{3, 1}, {5, 1}, {1, 1}, {5, 2}, {4, 1}});
  const auto longest = [&](BatchType type, std::int64_t size) {
    return longest_batch(CountedCorpus(corpus), {.type = type, .size = size});
  };
  EXPECT_THAT(longest(BatchType::tokens, 15), ElementsAre(1, 3, 4));
  EXPECT_THAT(longest(BatchType::tokens, 1), ElementsAre(1));
  EXPECT_THAT(longest(BatchType::sentences, 9), ElementsAre(1, 3, 4, 0, 2));
}

/// The reference sorts the examples and makes every batch.
TEST(LengthCountsProperty, AgreeWithLengthSortedBatches) {
  check_property([] {
    const auto length = rc::gen::inRange<std::size_t>(0, 30);
    const auto lengths =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<std::size_t, std::size_t>>>(
            rc::gen::pair(length, length)));
    const Corpus corpus = corpus_of(lengths);
    const auto type = *rc::gen::element(BatchType::tokens, BatchType::sentences);
    const auto size = *rc::gen::inRange<std::int64_t>(1, 200);
    const auto fixed = *rc::gen::elementOf(std::vector<std::int64_t>{0, 0, 31});
    const auto batches = length_sorted_batches(corpus.lengths(fixed), type, size);
    RC_ASSERT(count_sorted_batches(count_lengths(corpus.examples, fixed), type, size) ==
              std::ssize(batches));
    RC_ASSERT(
        longest_batch(CountedCorpus(corpus), {.type = type, .size = size, .fixed_length = fixed}) ==
        batches.front());
  });
}

}  // namespace
}  // namespace tfm

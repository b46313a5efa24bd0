#include "tfm/data/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;

using Batches = std::vector<std::vector<std::int64_t>>;

// Returns a corpus with lengths as in real text: most pairs are short, some are long, and targets
// are about as long as their sources.
Corpus random_corpus(std::int64_t size) {
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> source_length(2.9, 0.6);
  std::normal_distribution<double> ratio(1.0, 0.15);
  Corpus corpus;
  for (std::int64_t i = 0; i < size; ++i) {
    const double source = std::clamp(source_length(random), 1.0, 250.0);
    const double target = std::clamp(source * ratio(random), 1.0, 250.0);
    corpus.examples.push_back({TokenIds(static_cast<std::size_t>(source), 5),
                               TokenIds(static_cast<std::size_t>(target), 6)});
  }
  return corpus;
}

Corpus repeated(int count, const Example& example) {
  Corpus corpus;
  for (int i = 0; i < count; ++i) corpus.examples.push_back(example);
  return corpus;
}

Batches read_epoch(Batcher& batcher) {
  Batches batches;
  const auto epoch = batcher.position().epoch;
  while (batcher.position().epoch == epoch) batches.push_back(batcher.next());
  return batches;
}

std::vector<std::int64_t> flat(const Batches& batches) {
  std::vector<std::int64_t> items;
  for (const auto& batch : batches) items.insert(items.end(), batch.begin(), batch.end());
  return items;
}

std::vector<std::int64_t> sorted(std::vector<std::int64_t> items) {
  std::sort(items.begin(), items.end());
  return items;
}

std::vector<std::int64_t> all_items(const Corpus& corpus) {
  std::vector<std::int64_t> items(corpus.examples.size());
  std::iota(items.begin(), items.end(), 0);
  return items;
}

struct Shape {
  std::int64_t rows = 0;
  std::int64_t source = 0;  // S
  std::int64_t target = 0;  // T, including EOS
};

Shape batch_shape(const Corpus& corpus, const std::vector<std::int64_t>& batch) {
  Shape shape{std::ssize(batch), 0, 0};
  for (const std::int64_t i : batch) {
    const Example example = corpus.examples[static_cast<std::size_t>(i)];
    shape.source = std::max<std::int64_t>(shape.source, std::ssize(example.source));
    shape.target = std::max<std::int64_t>(shape.target, std::ssize(example.target) + 1);
  }
  return shape;
}

class BatcherInEachMode : public testing::TestWithParam<BatcherOptions> {};

TEST_P(BatcherInEachMode, ReturnsEveryPairOncePerEpoch) {
  const Corpus corpus = random_corpus(777);
  Batcher batcher(corpus, GetParam());
  for (int epoch = 0; epoch < 3; ++epoch)
    EXPECT_EQ(sorted(flat(read_epoch(batcher))), all_items(corpus));
}

TEST_P(BatcherInEachMode, ResumesFromAnyPosition) {
  const Corpus corpus = random_corpus(300);
  Batcher through(corpus, GetParam());
  while (through.position().epoch < 3) {
    const DataPosition position = through.position();
    Batcher resumed(corpus, GetParam());
    resumed.seek(position);
    ASSERT_EQ(resumed.next(), through.next())
        << "epoch " << position.epoch << ", batch " << position.next;
  }
}

/// With subword sampling, planning an epoch encodes all of the text.
TEST(Batcher, PlansOnlyTheEpochInWhichItStarts) {
  const Corpus corpus = random_corpus(300);
  std::vector<std::int64_t> planned;
  Batcher batcher(corpus, {.size = 1000}, [&](std::int64_t epoch) { planned.push_back(epoch); },
                  {3, 1});
  EXPECT_EQ(batcher.position(), (DataPosition{3, 1}));
  batcher.next();
  EXPECT_THAT(planned, testing::ElementsAre(3));
  EXPECT_THROW(Batcher(corpus, {.size = 1000}, {}, {0, 1000}), DataError);
}

INSTANTIATE_TEST_SUITE_P(
    Batcher, BatcherInEachMode,
    testing::Values(BatcherOptions{.type = BatchType::tokens, .size = 1000, .shuffle = true},
                    BatcherOptions{.type = BatchType::tokens, .size = 1000, .shuffle = false},
                    BatcherOptions{.type = BatchType::tokens, .size = 1000, .fixed_length = 50},
                    BatcherOptions{.type = BatchType::sentences, .size = 32, .shuffle = true},
                    BatcherOptions{.type = BatchType::sentences, .size = 32, .shuffle = false},
                    BatcherOptions{.type = BatchType::tokens, .size = 1000, .window_size = 100},
                    BatcherOptions{.type = BatchType::sentences, .size = 7, .window_size = 64},
                    BatcherOptions{.shuffle = false, .window_size = 99}));

/// Returns the items of every window of the next epoch.
Batches read_windows(Batcher& batcher) {
  Batches windows(static_cast<std::size_t>(batcher.windows()));
  const auto epoch = batcher.position().epoch;
  while (batcher.position().epoch == epoch) {
    auto& window = windows[static_cast<std::size_t>(batcher.position().window)];
    for (const std::int64_t item : batcher.next()) window.push_back(item);
  }
  return windows;
}

TEST(Batcher, WindowsHaveTheSameSizeExceptForOnePair) {
  const Corpus corpus = random_corpus(1000);
  Batcher batcher(corpus, {.size = 1000, .window_size = 300});
  std::vector<std::size_t> sizes;
  for (const auto& window : read_windows(batcher)) sizes.push_back(window.size());
  EXPECT_THAT(sizes, ElementsAre(250, 250, 250, 250));
  Batcher odd(corpus, {.size = 1000, .window_size = 400});
  sizes.clear();
  for (const auto& window : read_windows(odd)) sizes.push_back(window.size());
  EXPECT_THAT(sizes, ElementsAre(334, 333, 333));
}

/// Whether the windows of one epoch are random parts of the corpus: each contains about a quarter
/// of the pairs of each quarter of the corpus, and of each window of another epoch.
TEST(Batcher, WindowsMixTheWholeCorpusDifferentlyInEachEpoch) {
  const Corpus corpus = random_corpus(10000);
  Batcher batcher(corpus, {.size = 1000, .window_size = 2500});
  const auto first = read_windows(batcher);
  const auto second = read_windows(batcher);
  for (const auto& window : first) {
    std::vector<int> from_quarter(4), from_window(4);
    for (const std::int64_t item : window) {
      ++from_quarter[static_cast<std::size_t>(item / 2500)];
      for (std::size_t i = 0; i < 4; ++i)
        from_window[i] += static_cast<int>(std::ranges::count(second[i], item));
    }
    // Each count is hypergeometric with a mean of 625 and a standard deviation of 19. The test
    // allows five standard deviations.
    for (const auto& counts : {from_quarter, from_window})
      EXPECT_THAT(counts, testing::Each(testing::AllOf(testing::Gt(530), testing::Lt(720))));
  }
}

TEST(Batcher, SortsTheBatchesOfEachWindowByLength) {
  const Corpus corpus = random_corpus(6000);
  Batcher batcher(corpus, {.size = 4096, .window_size = 2000});
  double padded = 0, tokens = 0;
  for (const auto& batch : read_epoch(batcher)) {
    const Shape shape = batch_shape(corpus, batch);
    padded += static_cast<double>(shape.rows * (shape.source + shape.target));
    for (const std::int64_t i : batch) {
      const auto lengths = corpus.examples.lengths(static_cast<std::size_t>(i));
      tokens += static_cast<double>(lengths.source + lengths.target + 1);
    }
  }
  EXPECT_LT(1 - tokens / padded, 0.15);
}

TEST(Batcher, ShareOfEpochGrowsFromZeroToOne) {
  const Corpus corpus = random_corpus(500);
  Batcher batcher(corpus, {.size = 1000, .window_size = 100});
  EXPECT_EQ(batcher.share_of_epoch(), 0);
  double before = -1;
  while (batcher.position().epoch == 0) {
    const double share = batcher.share_of_epoch();
    EXPECT_GT(share, before);
    EXPECT_LT(share, 1);
    before = share;
    batcher.next();
  }
  EXPECT_GT(before, 0.9);
  EXPECT_EQ(batcher.share_of_epoch(), 0) << "the next epoch";
}

TEST(Batcher, DoesNotExceedTheTokenBudgetIfEachPairFits) {
  const Corpus corpus = random_corpus(2000);
  Batcher batcher(corpus, {.type = BatchType::tokens, .size = 500, .shuffle = true, .seed = 1});
  for (const auto& batch : read_epoch(batcher)) {
    const Shape shape = batch_shape(corpus, batch);
    EXPECT_LE(shape.rows * std::max(shape.source, shape.target), 500);
  }
}

TEST(Batcher, CountsTheEosOfTargetsInTheTokenBudget) {
  const Corpus corpus = repeated(4, {TokenIds(4, 5), TokenIds(5, 6)});  // T = 6
  Batcher two(corpus, {.type = BatchType::tokens, .size = 12, .shuffle = false, .seed = 1});
  EXPECT_THAT(read_epoch(two), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  Batcher one(corpus, {.type = BatchType::tokens, .size = 11, .shuffle = false, .seed = 1});
  EXPECT_EQ(one.batches_in_window(), 4);
}

TEST(Batcher, BatchesOfTypicalTextHaveLessThan15PercentPadding) {
  const Corpus corpus = random_corpus(5000);
  Batcher batcher(corpus, {.type = BatchType::tokens, .size = 4096, .shuffle = true, .seed = 1});
  double padded = 0;
  double tokens = 0;
  for (const auto& batch : read_epoch(batcher)) {
    const Shape shape = batch_shape(corpus, batch);
    padded += static_cast<double>(shape.rows * (shape.source + shape.target));
    for (const std::int64_t i : batch) {
      const Example example = corpus.examples[static_cast<std::size_t>(i)];
      tokens += static_cast<double>(example.source.size() + example.target.size() + 1);
    }
  }
  EXPECT_LT(1 - tokens / padded, 0.15);
}

TEST(Batcher, SeedDeterminesTheOrder) {
  const Corpus corpus = random_corpus(500);
  const auto first_epoch = [&](std::uint64_t seed) {
    Batcher batcher(corpus,
                    {.type = BatchType::tokens, .size = 1000, .shuffle = true, .seed = seed});
    return read_epoch(batcher);
  };
  EXPECT_EQ(first_epoch(1), first_epoch(1));
  EXPECT_NE(first_epoch(1), first_epoch(2));
  EXPECT_NE(first_epoch(1), first_epoch(1 + (std::uint64_t{1} << 32)))
      << "all bits of the seed count";
}

TEST(Batcher, ShufflingGroupsPairsDifferentlyInEachEpoch) {
  const Corpus corpus = random_corpus(500);
  Batcher batcher(corpus, {.type = BatchType::tokens, .size = 1000, .shuffle = true, .seed = 1});
  const Batches first = read_epoch(batcher);
  const Batches second = read_epoch(batcher);
  EXPECT_NE(first, second);
  std::vector<std::vector<std::int64_t>> members_first;
  std::vector<std::vector<std::int64_t>> members_second;
  for (const auto& batch : first) members_first.push_back(sorted(batch));
  for (const auto& batch : second) members_second.push_back(sorted(batch));
  std::sort(members_first.begin(), members_first.end());
  std::sort(members_second.begin(), members_second.end());
  EXPECT_NE(members_first, members_second)
      << "the batches themselves must differ, not only their order";
}

TEST(Batcher, ShufflingPutsEveryPairAtEveryPositionEquallyOften) {
  const Corpus corpus = repeated(5, {TokenIds(3, 5), TokenIds(3, 6)});
  Batcher batcher(corpus, {.type = BatchType::sentences, .size = 1, .shuffle = true, .seed = 1});
  constexpr int epochs = 5000;
  std::vector<std::vector<int>> count(5, std::vector<int>(5));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (std::size_t place = 0; place < 5; ++place)
      ++count[place][static_cast<std::size_t>(batcher.next().front())];
  }
  // Each count is binomial with p = 1/5, a mean of 1000 and a standard deviation of 28. The test
  // allows five standard deviations.
  for (const auto& row : count)
    EXPECT_THAT(row,
                testing::Each(testing::AllOf(testing::Gt(1000 - 141), testing::Lt(1000 + 141))));
}

TEST(Batcher, KeepsTheCorpusOrderWithoutShuffling) {
  const Corpus corpus = random_corpus(100);
  Batcher batcher(corpus, {.type = BatchType::sentences, .size = 7, .shuffle = false, .seed = 1});
  EXPECT_EQ(flat(read_epoch(batcher)), all_items(corpus));
  EXPECT_EQ(flat(read_epoch(batcher)), all_items(corpus));
}

TEST(Batcher, PositionIsTheStartOfTheNextEpochAfterTheLastBatch) {
  const Corpus corpus = random_corpus(10);
  Batcher batcher(corpus, {.type = BatchType::sentences, .size = 4, .shuffle = true, .seed = 1});
  ASSERT_EQ(batcher.batches_in_window(), 3);
  for (int i = 0; i < 2; ++i) batcher.next();
  EXPECT_EQ(batcher.position().epoch, 0);
  EXPECT_EQ(batcher.position().next, 2);
  batcher.next();
  EXPECT_EQ(batcher.position().epoch, 1);
  EXPECT_EQ(batcher.position().next, 0);
}

TEST(Batcher, SeekThrowsForAPositionThatDoesNotExist) {
  const Corpus corpus = random_corpus(10);
  Batcher batcher(corpus, {.type = BatchType::sentences, .size = 4, .shuffle = true, .seed = 1});
  EXPECT_THROW(batcher.seek({0, 3}), DataError);
  EXPECT_THROW(batcher.seek({0, -1}), DataError);
  EXPECT_THROW(batcher.seek({-1, 0}), DataError);
  EXPECT_THROW(batcher.seek({0, 0, 1}), DataError);
  EXPECT_THROW(batcher.seek({0, 0, -1}), DataError);
}

TEST(Batcher, ThrowsForAnEmptyCorpus) { EXPECT_THROW(Batcher(Corpus(), {}), DataError); }

// The expected order was computed by an independent program. It does not depend on the standard
// library, because the C++ standard defines the results of mt19937_64 and seed_seq.
TEST(Batcher, OrderIsTheSameWithEveryStandardLibrary) {
  const Corpus corpus = repeated(10, {TokenIds(3, 5), TokenIds(3, 6)});
  Batcher batcher(corpus, {.type = BatchType::sentences, .size = 10, .shuffle = true, .seed = 42});
  EXPECT_THAT(batcher.next(), ElementsAre(0, 6, 5, 1, 3, 9, 7, 8, 4, 2));
}

TEST(BatchesWithinBudget, StartANewBatchBeforeTheBudgetIsExceeded) {
  EXPECT_THAT(batches_within_budget({0, 1, 2, 3}, {2, 2, 3, 1}, BatchType::tokens, 6),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST(BatchesWithinBudget, GiveAnItemOverTheBudgetItsOwnBatch) {
  EXPECT_THAT(batches_within_budget({0, 1, 2}, {2, 9, 2}, BatchType::tokens, 6),
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
}

TEST(BatchesWithinBudget, ContainAtMostTheGivenNumberOfSentencesOfAnyLength) {
  EXPECT_THAT(batches_within_budget({2, 1, 0}, {9, 9, 9}, BatchType::sentences, 2),
              ElementsAre(ElementsAre(2, 1), ElementsAre(0)));
}

TEST(BatchesWithinBudget, AreEmptyWithoutItems) {
  EXPECT_TRUE(batches_within_budget({}, {}, BatchType::tokens, 6).empty());
}

TEST(Batcher, UsesTheFixedLengthOfPairsForTheTokenBudget) {
  const auto corpus = random_corpus(20);
  Batcher batcher(corpus, {.size = 90, .fixed_length = 30});
  EXPECT_EQ(batcher.batches_in_window(), 7) << "three pairs of 30 tokens per batch";
}

}  // namespace
}  // namespace tfm

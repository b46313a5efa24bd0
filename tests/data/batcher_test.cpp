#include "tfm/data/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "batches.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;

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
TEST(Batcher, PlansOnlyTheWindowInWhichItStarts) {
  const Corpus corpus = random_corpus(300);
  std::vector<std::int64_t> planned;
  const auto note = [&](const EpochWindows& windows, Window window) {
    planned.push_back(window.epoch * windows.count(window.epoch) + window.index);
  };
  const BatcherOptions options{.size = 1000, .window_size = 100};
  Batcher batcher(corpus, options, note, {3, 1, 2});
  EXPECT_EQ(batcher.position(), (DataPosition{3, 1, 2}));
  EXPECT_THAT(planned, testing::ElementsAre(11)) << "to know whether the position exists";
  batcher.next();
  EXPECT_THAT(planned, testing::ElementsAre(11));
  while (batcher.position().epoch == 3) batcher.next();
  EXPECT_THAT(planned, testing::ElementsAre(11)) << "its batches may still be read";
  batcher.next();
  EXPECT_THAT(planned, testing::ElementsAre(11, 12));
  batcher.seek({5, 0, 1});
  EXPECT_THAT(planned, testing::ElementsAre(11, 12)) << "its first batch exists anyway";
  batcher.next();
  EXPECT_THAT(planned, testing::ElementsAre(11, 12, 16));
  EXPECT_THROW(Batcher(corpus, options, {}, {0, 1000}), DataError);
}

TEST(Batcher, StaysWhereItIsIfAWindowCannotBegin) {
  const Corpus corpus = random_corpus(300);
  bool fails = false;
  const BatcherOptions options{.size = 1000, .window_size = 100};
  Batcher batcher(corpus, options, [&](const EpochWindows&, Window) {
    if (fails) throw Interrupted("interrupted");
  });
  while (batcher.position().window == 0) batcher.next();
  fails = true;
  EXPECT_THROW(batcher.next(), Interrupted);
  EXPECT_EQ(batcher.position(), (DataPosition{0, 0, 1}));
  fails = false;
  Batcher other(corpus, options, {}, {0, 0, 1});
  EXPECT_EQ(batcher.next(), other.next());
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

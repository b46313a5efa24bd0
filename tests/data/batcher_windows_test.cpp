// Windows of an epoch, and the mixture of sets that they are drawn from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batches.h"
#include "tfm/data/batcher.h"

namespace tfm {
namespace {

using testing::ElementsAre;

/// Returns the items of every window of the next epoch.
Batches read_windows(Batcher& batcher) {
  Batches windows(static_cast<std::size_t>(batcher.windows(0)));
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
  EXPECT_THAT(sizes, ElementsAre(333, 333, 334));
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

TEST(Batcher, DrawsFromSetsAsTheirStageSays) {
  Corpus corpus = random_corpus(1000);
  corpus.sets = {{"clean", 0, 100}, {"other", 100, 1000}};
  for (const std::int64_t window : {1 << 20, 37}) {
    Batcher batcher(corpus, {.size = 500,
                             .window_size = window,
                             .stages = {{{{"clean", 1}, {"other", 3}}, "clean", 3},
                                        {{{"other", 1}}, "other", 0}}});
    std::vector<std::int64_t> drawn;
    for (int epoch = 0; epoch < 3; ++epoch) {
      const auto items = sorted(flat(read_epoch(batcher)));
      ASSERT_EQ(items.size(), 400U);
      for (std::int64_t i = 0; i < 100; ++i) EXPECT_EQ(items[static_cast<std::size_t>(i)], i);
      drawn.insert(drawn.end(), items.begin() + 100, items.end());
    }
    const auto all = all_items(corpus);
    EXPECT_EQ(sorted(drawn), std::vector(all.begin() + 100, all.end()))
        << "three epochs of 300 pairs visit the other set once";
    EXPECT_EQ(read_epoch(batcher).size() > 0, true);
    EXPECT_EQ(batcher.position().epoch, 4);
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

}  // namespace
}  // namespace tfm

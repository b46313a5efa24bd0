#include "tfm/data/epoch_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batches.h"

namespace tfm {
namespace {

TEST(EpochWindows, FollowEachOtherThroughTheEpochs) {
  const Corpus corpus = random_corpus(250);
  const EpochWindows windows(corpus, {.window_size = 100});
  EXPECT_EQ(windows.count(0), 3);
  EXPECT_FALSE(windows.corpus_fits());
  std::vector<std::int64_t> items;
  Window window{.epoch = 4, .index = 0};
  for (; window.epoch == 4; window = windows.after(window)) {
    const auto part = windows.items(window);
    EXPECT_TRUE(std::ranges::is_sorted(part));
    items.insert(items.end(), part.begin(), part.end());
  }
  EXPECT_EQ(window, (Window{.epoch = 5, .index = 0}));
  EXPECT_EQ(sorted(items), all_items(corpus));
}

TEST(EpochWindows, ACorpusFitsEvenIfAnEpochHasSeveralWindows) {
  Corpus corpus = random_corpus(110);
  corpus.sets = {{"large", 0, 100}, {"small", 100, 110}};
  const EpochWindows windows(corpus, {.window_size = 110, .temperature = 100});
  EXPECT_EQ(windows.count(0), 2) << "the small set is repeated";
  EXPECT_TRUE(windows.corpus_fits());
}

/// Runs that an earlier version began resume with its batches.
TEST(WindowSize, IsSmallerOnlyIfALargeCorpusIsEncodedInEveryEpoch) {
  DataConfig config;
  EXPECT_EQ(window_size(config, 1 << 20), 1 << 20);
  EXPECT_EQ(window_size(config, 1 << 24), 1 << 20);
  config.modifiers = {"typos=0.1"};
  EXPECT_EQ(window_size(config, 1 << 20), 1 << 20);
  EXPECT_EQ(window_size(config, (1 << 20) + 1), 1 << 17);
  config.modifiers.clear();
  config.bpe_dropout = 0.1;
  EXPECT_EQ(window_size(config, 1 << 24), 1 << 17);
}

}  // namespace
}  // namespace tfm

#include "tfm/training/update_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/data/corpus.h"

namespace tfm {
namespace {

using testing::ElementsAre;

/// A fixture with a batcher whose batches are single sentence pairs, in the order of the corpus.
class NextUpdateBatches : public testing::Test {
 protected:
  NextUpdateBatches() {
    for (int i = 0; i < 7; ++i) corpus.examples.push_back({TokenIds{3}, TokenIds{3}});
  }
  Batcher batcher() const {
    return {corpus, {.type = BatchType::sentences, .size = 1, .fixed_length = 0, .shuffle = false}};
  }
  Corpus corpus;
};

TEST_F(NextUpdateBatches, DealsBatchesToTheRanksInTurn) {
  auto first = batcher();
  auto second = batcher();
  EXPECT_THAT(next_update_batches(first, /*accum_count=*/2, /*rank=*/0, /*ranks=*/2),
              ElementsAre(ElementsAre(0), ElementsAre(2)));
  EXPECT_THAT(next_update_batches(second, 2, /*rank=*/1, 2),
              ElementsAre(ElementsAre(1), ElementsAre(3)));
  EXPECT_EQ(first.position().next, 4) << "the other rank's batches are taken as well";
  EXPECT_EQ(second.position().next, 4);
}

TEST_F(NextUpdateBatches, ContinuesInTheNextEpochWithinAnUpdate) {
  auto all = batcher();
  all.seek({.epoch = 0, .next = 5});
  EXPECT_THAT(next_update_batches(all, 3, 0, 1),
              ElementsAre(ElementsAre(5), ElementsAre(6), ElementsAre(0)));
  EXPECT_EQ(all.position().epoch, 1);
}

TEST(BatcherOptions, TakesEveryFieldFromTheConfig) {
  Config config;
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 17;
  config.training.shuffle = false;
  config.training.seed = 5;
  config.data.fixed_length = 30;
  const auto options = batcher_options(config, Corpus());
  EXPECT_EQ(options.type, BatchType::sentences);
  EXPECT_EQ(options.size, 17);
  EXPECT_FALSE(options.shuffle);
  EXPECT_EQ(options.seed, 5U);
  EXPECT_EQ(options.fixed_length, 30);
}

}  // namespace
}  // namespace tfm

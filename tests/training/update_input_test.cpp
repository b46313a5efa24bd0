#include "tfm/training/update_input.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace tfm {
namespace {

/// A corpus of 20 pairs, in batches of two: an epoch has ten batches.
struct UpdateInputTest : testing::TestWithParam<bool> {
  Corpus corpus;
  UpdateInputTest() {
    for (std::int64_t i = 0; i < 20; ++i)
      corpus.examples.push_back({TokenIds{4, 2}, TokenIds{5}, i + 1});
  }

  Batcher batcher() const {
    return Batcher(corpus, {.type = BatchType::sentences, .size = 2, .seed = 3});
  }
  static std::vector<Batch> collate(const std::vector<BatchIndices>& indices) {
    std::vector<Batch> batches;
    for (const auto& batch : indices) {
      batches.emplace_back();
      batches.back().indices = batch;
    }
    return batches;
  }
  UpdateInputOptions options() const { return {.accum_count = 3, .ahead = GetParam()}; }

  /// Expects the batches and the position of the next update of `expected`.
  static void expect_next(UpdateInput& input, Batcher& expected) {
    const auto batches = input.next();
    const auto indices = next_update_batches(expected, 3, 0, 1);
    ASSERT_EQ(batches.size(), indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) EXPECT_EQ(batches[i].indices, indices[i]);
    EXPECT_EQ(input.position(), expected.position());
    EXPECT_EQ(input.share_of_epoch(), expected.share_of_epoch());
  }
};
INSTANTIATE_TEST_SUITE_P(Ahead, UpdateInputTest, testing::Bool());

TEST_P(UpdateInputTest, ReturnsTheBatchesAndPositionsOfTheBatcher) {
  UpdateInput input(batcher(), options(), collate);
  auto expected = batcher();
  for (int update = 0; update < 12; ++update) expect_next(input, expected);
}

TEST_P(UpdateInputTest, ContinuesAtTheSoughtPosition) {
  UpdateInput input(batcher(), options(), collate);
  auto expected = batcher();
  for (int update = 0; update < 2; ++update) input.next();
  input.seek({.epoch = 1, .next = 4});
  expected.seek({.epoch = 1, .next = 4});
  EXPECT_EQ(input.position(), expected.position());
  for (int update = 0; update < 5; ++update) expect_next(input, expected);
}

TEST_P(UpdateInputTest, BeginsAWindowOnlyWhenItsBatchesAreNeeded) {
  std::vector<std::int64_t> epochs;  // each is one window
  const auto begin_window = [&](const EpochWindows&, Window window) {
    epochs.push_back(window.epoch);
  };
  UpdateInput input(
      Batcher(corpus, {.type = BatchType::sentences, .size = 2, .seed = 3}, begin_window),
      {.accum_count = 5, .ahead = GetParam()}, collate);
  for (int update = 0; update < 2; ++update) input.next();
  EXPECT_EQ(epochs, std::vector<std::int64_t>{0});
  input.next();
  EXPECT_EQ(epochs, (std::vector<std::int64_t>{0, 1}));
}

TEST_P(UpdateInputTest, CollatesOnAnotherThreadOnlyIfAhead) {
  std::vector<std::thread::id> threads;
  {
    UpdateInput input(batcher(), options(), [&](const std::vector<BatchIndices>& indices) {
      threads.push_back(std::this_thread::get_id());
      return collate(indices);
    });
    input.next();
    input.next();
  }
  EXPECT_EQ(threads[0], std::this_thread::get_id()) << "no update came before";
  EXPECT_EQ(threads[1] != std::this_thread::get_id(), GetParam());
}

TEST_P(UpdateInputTest, ThrowsTheErrorsOfAnUpdateWhenItsBatchesAreNeeded) {
  int calls = 0;
  UpdateInput input(batcher(), options(), [&](const std::vector<BatchIndices>& indices) {
    if (++calls == 2) throw std::runtime_error("unreadable");
    return collate(indices);
  });
  EXPECT_NO_THROW(input.next());
  EXPECT_THROW(input.next(), std::runtime_error);
}

}  // namespace
}  // namespace tfm

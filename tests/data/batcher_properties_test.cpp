#include <gtest/gtest.h>

#include <numeric>

#include "property.h"
#include "tfm/data/batcher.h"

namespace tfm {
namespace {

using Batches = std::vector<std::vector<std::int64_t>>;

Corpus any_corpus(std::size_t smallest) {
  const auto length = rc::gen::inRange<std::size_t>(0, 30);
  const auto lengths =
      *rc::gen::suchThat(rc::gen::container<std::vector<std::pair<std::size_t, std::size_t>>>(
                             rc::gen::pair(length, length)),
                         [&](const auto& drawn) { return drawn.size() >= smallest; });
  Corpus corpus;
  for (const auto& [source, target] : lengths)
    corpus.examples.push_back({TokenIds(source, 5), TokenIds(target, 6)});
  return corpus;
}

BatcherOptions any_options() {
  BatcherOptions options;
  options.type = *rc::gen::element(BatchType::tokens, BatchType::sentences);
  options.size = *rc::gen::inRange<std::int64_t>(1, 200);
  options.fixed_length = *rc::gen::elementOf(std::vector<std::int64_t>{0, 0, 31});
  options.shuffle = *rc::gen::arbitrary<bool>();
  options.seed = *rc::gen::arbitrary<std::uint64_t>();
  options.window_size = *rc::gen::inRange<std::int64_t>(1, 40);
  return options;
}

Batches next_epoch(Batcher& batcher) {
  Batches batches;
  const auto epoch = batcher.position().epoch;
  while (batcher.position().epoch == epoch) batches.push_back(batcher.next());
  return batches;
}

/// Fails unless each of the items 0 to count - 1 is in the batches exactly once.
void expect_every_item_once(const Batches& batches, std::size_t count) {
  std::vector<std::int64_t> items;
  for (const auto& batch : batches) {
    RC_ASSERT(!batch.empty());
    items.insert(items.end(), batch.begin(), batch.end());
  }
  std::ranges::sort(items);
  std::vector<std::int64_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  RC_ASSERT(items == all);
}

void expect_within_budget(const Batches& batches, const std::vector<std::int64_t>& lengths,
                          BatchType type, std::int64_t size) {
  for (const auto& batch : batches) {
    std::int64_t longest = type == BatchType::sentences ? 1 : 0;
    for (const std::int64_t item : batch) {
      if (type == BatchType::tokens)
        longest = std::max(longest, lengths[static_cast<std::size_t>(item)]);
    }
    RC_ASSERT(batch.size() == 1 || std::ssize(batch) * longest <= size);
  }
}

TEST(BatcherProperty, ReturnsEveryExampleOncePerEpochWithinTheBudget) {
  check_property([] {
    const Corpus corpus = any_corpus(1);
    const BatcherOptions options = any_options();
    Batcher batcher(corpus, options);
    for (int epoch = 0; epoch < 3; ++epoch) {
      const Batches batches = next_epoch(batcher);
      expect_every_item_once(batches, corpus.examples.size());
      expect_within_budget(batches, corpus.lengths(options.fixed_length), options.type,
                           options.size);
    }
  });
}

TEST(BatcherProperty, ResumesFromAnyPosition) {
  check_property([] {
    const Corpus corpus = any_corpus(1);
    const BatcherOptions options = any_options();
    Batcher batcher(corpus, options);
    for (int drawn = *rc::gen::inRange(0, 40); drawn > 0; --drawn) batcher.next();
    Batcher resumed(corpus, options);
    resumed.seek(batcher.position());
    for (int i = 0; i < 10; ++i) RC_ASSERT(resumed.next() == batcher.next());
  });
}

TEST(LengthSortedBatchesProperty, ContainEveryItemOnceWithinTheBudget) {
  check_property([] {
    const auto lengths =
        *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 40));
    const auto type = *rc::gen::element(BatchType::tokens, BatchType::sentences);
    const auto size = *rc::gen::inRange<std::int64_t>(1, 200);
    const Batches batches = length_sorted_batches(lengths, type, size);
    expect_every_item_once(batches, lengths.size());
    expect_within_budget(batches, lengths, type, size);
  });
}

}  // namespace
}  // namespace tfm

#include "tfm/data/length_counts.h"

#include <algorithm>

namespace tfm {
namespace {

/// Returns how many examples fit into a batch whose longest example has this length.
std::int64_t most_examples(std::int64_t longest, BatchType type, std::int64_t size) {
  return std::max<std::int64_t>(1, type == BatchType::tokens ? size / longest : size);
}

}  // namespace

LengthCounts count_lengths(const ExampleList& examples, std::int64_t fixed_length) {
  LengthCounts counts;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto length = static_cast<std::size_t>(examples.lengths(i).in_batch(fixed_length));
    if (length >= counts.size()) counts.resize(length + 1);
    ++counts[length];
  }
  return counts;
}

std::int64_t count_sorted_batches(const LengthCounts& counts, BatchType type, std::int64_t size) {
  std::int64_t batches = 0;
  std::int64_t room = 0;  // in the last batch
  for (auto length = std::ssize(counts) - 1; length >= 0; --length) {
    std::int64_t left = counts[static_cast<std::size_t>(length)];
    while (left > 0) {
      if (room == 0) {
        ++batches;
        room = most_examples(length, type, size);
      }
      const auto taken = std::min(left, room);
      left -= taken;
      room -= taken;
    }
  }
  return batches;
}

const LengthCounts& CountedCorpus::lengths(std::int64_t fixed_length) const {
  const auto found = lengths_.find(fixed_length);
  if (found != lengths_.end()) return found->second;
  return lengths_[fixed_length] = count_lengths(corpus_.examples, fixed_length);
}

std::vector<std::int64_t> longest_batch(const CountedCorpus& corpus,
                                        const BatcherOptions& options) {
  const ExampleList& examples = corpus.corpus().examples;
  const LengthCounts& counts = corpus.lengths(options.fixed_length);
  const auto length_at = [&](std::size_t i) {
    return examples.lengths(i).in_batch(options.fixed_length);
  };
  auto length = std::ssize(counts) - 1;  // the shortest length in the batch, in the end
  const std::int64_t most = most_examples(length, options.type, options.size);
  std::int64_t longer = 0;  // the number of examples that are longer than `length`
  while (length > 0 && longer + counts[static_cast<std::size_t>(length)] < most)
    longer += counts[static_cast<std::size_t>(length--)];
  std::vector<std::int64_t> batch;
  std::int64_t others = most - longer;  // the number of examples of this length in the batch
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto here = length_at(i);
    if (here > length || (here == length && others-- > 0))
      batch.push_back(static_cast<std::int64_t>(i));
  }
  std::ranges::stable_sort(batch, std::greater<>{},
                           [&](std::int64_t i) { return length_at(static_cast<std::size_t>(i)); });
  return batch;
}

}  // namespace tfm

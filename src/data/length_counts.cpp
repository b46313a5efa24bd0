#include "tfm/data/length_counts.h"

#include <algorithm>

namespace tfm {
namespace {

std::int64_t length_of(const ExampleList& examples, std::size_t i, std::int64_t fixed_length) {
  return fixed_length > 0 ? fixed_length : examples.lengths(i).longest();
}

/// Returns how many examples fit into a batch whose longest example has this length.
std::int64_t most_examples(std::int64_t longest, BatchType type, std::int64_t size) {
  return std::max<std::int64_t>(1, type == BatchType::tokens ? size / longest : size);
}

}  // namespace

LengthCounts count_lengths(const ExampleList& examples, std::int64_t fixed_length) {
  LengthCounts counts;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto length = static_cast<std::size_t>(length_of(examples, i, fixed_length));
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

std::vector<std::int64_t> longest_batch(const ExampleList& examples, std::int64_t fixed_length,
                                        BatchType type, std::int64_t size) {
  const LengthCounts counts = count_lengths(examples, fixed_length);
  auto length = std::ssize(counts) - 1;  // the shortest length in the batch, in the end
  const std::int64_t most = most_examples(length, type, size);
  std::int64_t longer = 0;  // the number of examples that are longer than `length`
  while (length > 0 && longer + counts[static_cast<std::size_t>(length)] < most)
    longer += counts[static_cast<std::size_t>(length--)];
  std::vector<std::int64_t> batch;
  std::int64_t others = most - longer;  // the number of examples of this length in the batch
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto here = length_of(examples, i, fixed_length);
    if (here > length || (here == length && others-- > 0))
      batch.push_back(static_cast<std::int64_t>(i));
  }
  std::ranges::stable_sort(batch, std::greater<>{}, [&](std::int64_t i) {
    return length_of(examples, static_cast<std::size_t>(i), fixed_length);
  });
  return batch;
}

}  // namespace tfm
